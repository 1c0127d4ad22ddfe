import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIRRORED_SERVING, possibleImages, staticRecipe } from '../../../../cluster/mirror/images.ts';

describe('the image of a program', () => {
  it('has it under the name that a manifest starts, whatever version it is', () => {
    const { files, dockerfile } = staticRecipe('catalogd-1.5', '/cache/catalogd-1.5');
    assert.deepEqual([...files], [['catalogd', '/cache/catalogd-1.5']]);
    assert.match(dockerfile, /^ENTRYPOINT \["\/catalogd"\]$/m);
  });
});

describe('the images that serve a model', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'images-'))));
  afterEach(() => rmSync(directory, { recursive: true }));
  const provide = (name: string): void => writeFileSync(join(directory, name), '');

  it('are made where all of their programs could be provided', () => {
    assert.deepEqual(possibleImages(MIRRORED_SERVING, directory), []);
    provide('llama-server');
    provide('onwards');
    provide('busybox');
    assert.deepEqual(possibleImages(MIRRORED_SERVING, directory), ['onwards']);
    provide('smollm2');
    assert.deepEqual(possibleImages(MIRRORED_SERVING, directory), ['onwards', 'llama-cpp']);
  });

  it('are not made of links that lead nowhere', () => {
    provide('busybox');
    symlinkSync(join(directory, 'deleted'), join(directory, 'onwards'));
    assert.deepEqual(possibleImages(MIRRORED_SERVING, directory), []);
  });
});

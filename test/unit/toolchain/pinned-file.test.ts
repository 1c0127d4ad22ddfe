import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fetchPinned, shownAddress } from '../../../toolchain/pinned-file.ts';
import { sumOf } from '../../support/registry/package-index.ts';

describe('a file that is pinned by its sum', () => {
  let directory: string;
  let target: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'pinned-'));
    target = join(directory, 'target');
    writeFileSync(join(directory, 'served'), 'content');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const file = (name: string, content: string): Parameters<typeof fetchPinned>[0] => ({
    object: 'crate onwards 1.2.0',
    url: pathToFileURL(join(directory, name)).href,
    sha256: sumOf(Buffer.from(content)),
  });

  it('is fetched', async () => {
    await fetchPinned(file('served', 'content'), target);
    assert.equal(readFileSync(target, 'utf8'), 'content');
  });

  it('is refused with another content, as one that was cut off has', async () => {
    await assert.rejects(
      fetchPinned(file('served', 'content and more'), target),
      /^ProblemsError: crate onwards 1\.2\.0: sha256: differs from what programs\.yaml pins .*Do not use it\. Check file:/,
    );
  });

  it('is named with the reason when it cannot be fetched', async () => {
    await assert.rejects(
      fetchPinned(file('missing', 'content'), target),
      /crate onwards 1\.2\.0: address: cannot be fetched .*Error: ENOENT/,
    );
    const url = 'http://me:secret@localhost.invalid/file';
    await assert.rejects(fetchPinned({ object: 'wheel', url, sha256: '' }, target), (error: unknown) => {
      assert.match(String(error), /wheel: address: cannot be fetched \(got "http:\/\/localhost\.invalid\/file"\)/);
      assert.doesNotMatch(String(error), /secret/);
      return true;
    });
  });

  it('is shown without the password of its registry', () => {
    assert.equal(shownAddress('https://me:secret@one.example/a@b'), 'https://one.example/a@b');
    assert.equal(shownAddress('https://one.example/a@b'), 'https://one.example/a@b');
  });
});

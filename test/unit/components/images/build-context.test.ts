import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textImageContext, writeContext } from '../../../../components/images/build-context.ts';

describe('a build context', () => {
  let directory: string;
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'context-'))));
  afterEach(() => rm(directory, { recursive: true }));

  it('copies the folders of its files into an image of nothing else', () => {
    const files = new Map([
      ['metadata/annotations.yaml', 'a'],
      ['manifests/csv.yaml', 'b'],
    ]);
    const context = textImageContext({ files, labels: { 'a.b': 'x "y"' } });
    assert.equal(
      context.get('Dockerfile'),
      'FROM scratch\nLABEL a.b="x \\"y\\""\nCOPY manifests /manifests/\nCOPY metadata /metadata/\n',
    );
  });

  it('holds exactly the given files, and leaves alone those that are right already', async () => {
    writeContext(
      directory,
      new Map([
        ['a/same', '1'],
        ['a/changed', '1'],
        ['b/gone', '1'],
      ]),
    );
    const before = await stat(join(directory, 'a/same'));
    await writeFile(join(directory, 'a/stray'), 'x');
    writeContext(
      directory,
      new Map([
        ['a/same', '1'],
        ['a/changed', '2'],
      ]),
    );
    assert.equal((await stat(join(directory, 'a/same'))).mtimeMs, before.mtimeMs);
    assert.equal(await readFile(join(directory, 'a/changed'), 'utf8'), '2');
    await assert.rejects(stat(join(directory, 'b/gone')));
    await assert.rejects(stat(join(directory, 'a/stray')));
  });

  it('gives files of one size other times when their contents differ, since builders look no closer', async () => {
    const time = async (content: string): Promise<number> => {
      writeContext(directory, new Map([['file', content]]));
      return (await stat(join(directory, 'file'))).mtimeMs;
    };
    const first = await time('version 1.1.0');
    assert.notEqual(await time('version 2.0.0'), first);
    assert.equal(await time('version 1.1.0'), first);
  });
});

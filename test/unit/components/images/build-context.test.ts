import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textImageContext, writeContext } from '../../../../components/images/build-context.ts';
import { sourceRevision } from '../../../../components/images/source-revision.ts';

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

describe('the revision of the source', () => {
  it('is the newest commit that touched the paths', () => {
    const { revision, created } = sourceRevision('.', ['LICENSE'], {});
    assert.match(revision, /^[0-9a-f]{40}$/);
    assert.ok(created.getTime() > Date.UTC(2020, 0));
  });

  it('is dated by SOURCE_DATE_EPOCH outside a repository', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'archive-'));
    const env = { SOURCE_DATE_EPOCH: '86400', SOURCE_URL: 'https://example.com/fleet' };
    const expected = { revision: 'unknown', created: new Date(86_400_000), url: 'https://example.com/fleet' };
    assert.deepEqual(sourceRevision(directory, ['.'], env), expected);
    await rm(directory, { recursive: true });
  });
});

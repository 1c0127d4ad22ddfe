import assert from 'node:assert/strict';
import { readTar } from '../../../../components/registry/tar.ts';
import { writeTar } from '../../../support/tar.ts';

describe('a tar archive', () => {
  it('gives back its files, and not its folders', () => {
    const files = new Map([
      ['manifests/csv.yaml', 'kind: ClusterServiceVersion\n'],
      ['metadata/annotations.yaml', 'x'.repeat(512)],
      ['empty', ''],
    ]);
    const read = readTar(writeTar(files)).map(({ path, content }) => [path, content.toString()]);
    assert.deepEqual(read, [...files]);
  });

  it('strips what leads a path out of its root', () => {
    const [file] = readTar(writeTar(new Map([['./manifests/a', '1']])));
    assert.equal(file?.path, 'manifests/a');
  });

  it('takes a long path from a pax header', () => {
    const path = `manifests/${'long'.repeat(60)}.yaml`;
    const record = `path=${path}\n`;
    // The number at the start of a record counts its own digits and the blank.
    const pax = writeTar(new Map([['pax', `${record.length + 4} ${record}`]])).subarray(0, 1024);
    pax.write('x', 156);
    const [file] = readTar(Buffer.concat([pax, writeTar(new Map([['cut-off', 'content']]))]));
    assert.equal(file?.path, path);
    assert.equal(file.content.toString(), 'content');
  });

  it('is refused when it is cut off', () => {
    const archive = writeTar(new Map([['a', 'x'.repeat(600)]]));
    assert.throws(() => readTar(archive.subarray(0, 1024)), /cut off or damaged/);
  });
});

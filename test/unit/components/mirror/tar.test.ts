import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { endOf, tarFiles, tarHeader } from '../../../../components/mirror/tar-entries.ts';
import { TarSource } from '../../../../components/mirror/tar-source.ts';
import { TarTarget } from '../../../../components/mirror/tar-target.ts';
import { digestOf } from '../../../support/registry/memory-registry.ts';
import { writeTar } from '../../../support/registry/tar.ts';

const IMAGE = { host: 'registry.example.com', path: 'team/image', tag: '1' };
const LAYER = Buffer.alloc(3000, 'layer');
const BLOB = { digest: digestOf(LAYER), size: LAYER.length };
const BYTES = Buffer.from(JSON.stringify({ layers: [{ mediaType: 'x', ...BLOB }] }));
const MANIFEST = { digest: digestOf(BYTES), bytes: BYTES, content: {} };

describe('an archive of images', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tar-'));
    path = join(directory, 'fleet.tar');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  async function write(): Promise<void> {
    const target = await TarTarget.open(path);
    if (!(await target.hasBlob(IMAGE, BLOB))) await target.putBlob(IMAGE, BLOB, Readable.from([LAYER]));
    await target.putManifest(IMAGE, MANIFEST);
    target.name(IMAGE, MANIFEST, 'catalog');
    await target.finish(new Map([['olm.yaml', 'kind: OLM']]));
  }

  it('is an image layout that tar reads, and gives back what was put in', async () => {
    await write();
    const names: string[] = [];
    const reader = extract();
    reader.on('entry', (header, stream, next) => {
      names.push(header.name);
      stream.on('end', next).resume();
    });
    Readable.from([readFileSync(path)]).pipe(reader);
    await new Promise<void>((resolve, reject) => reader.on('finish', () => resolve()).on('error', reject));
    const blobs = [BLOB.digest, MANIFEST.digest].map((digest) => `blobs/${digest.replace(':', '/')}`);
    assert.deepEqual(names, [...blobs, 'extra/olm.yaml', 'index.json', 'oci-layout']);

    const source = await TarSource.open(path);
    assert.deepEqual(source.images, [{ reference: IMAGE, digest: MANIFEST.digest, role: 'catalog' }]);
    assert.deepEqual((await source.manifest(IMAGE)).bytes, BYTES);
    assert.deepEqual(await buffer(await source.blob(IMAGE, BLOB)), LAYER);
    assert.deepEqual(await source.extra(), new Map([['olm.yaml', 'kind: OLM']]));
    await assert.rejects(source.manifest({ ...IMAGE, tag: '2' }), /fleet\.tar does not have it/);
    await assert.rejects(source.blob(IMAGE, { digest: digestOf('other'), size: 5 }), /lacks blob/);
    await source.close();
  });

  it('is continued after the last blob that is whole and right, and is the same in the end', async () => {
    await write();
    const whole = readFileSync(path);
    const [blob] = await filesOf(path);
    assert.ok(blob);
    for (const length of [0, 100, 600, endOf(blob), endOf(blob) + 700, whole.length]) {
      writeFileSync(`${path}.part`, whole.subarray(0, length));
      rmSync(path);
      await write();
      assert.ok(readFileSync(path).equals(whole), `after ${length} bytes`);
    }
    const changed = Buffer.from(whole);
    changed.write('X', 600);
    renameSync(path, `${path}.part`);
    writeFileSync(`${path}.part`, changed);
    await write();
    assert.ok(readFileSync(path).equals(whole));
  });

  it('stays as it is until the next one is finished, which has its blobs', async () => {
    await write();
    const whole = readFileSync(path);
    const target = await TarTarget.open(path);
    assert.ok(await target.hasBlob(IMAGE, BLOB));
    await target.close();
    assert.ok(readFileSync(path).equals(whole));
    assert.ok(existsSync(`${path}.part`));
    await write();
    assert.ok(readFileSync(path).equals(whole));
    assert.ok(!existsSync(`${path}.part`));
  });

  it('never takes the place of a file that is something else, such as a backup or an image layout of others', async () => {
    const other = await TarTarget.open(path);
    await other.putManifest(IMAGE, MANIFEST);
    await other.finish();
    const layout = readFileSync(path);
    for (const content of [await writeTar([{ name: 'backup', content: 'mine' }]), layout, Buffer.from('mine')]) {
      writeFileSync(path, content);
      for (const unfinished of [false, true]) {
        if (unfinished) writeFileSync(`${path}.part`, '');
        await assert.rejects(TarTarget.open(path), /fleet\.tar: is there, and is not an archive that fleet mirror has/);
        assert.ok(readFileSync(path).equals(content));
        assert.equal(existsSync(`${path}.part`), unfinished);
      }
      rmSync(`${path}.part`);
    }
  });

  it('keeps nothing of a blob that did not arrive', async () => {
    const target = await TarTarget.open(path);
    const broken = Readable.from(
      (function* () {
        yield LAYER.subarray(0, 1000);
        throw new Error('the connection was lost');
      })(),
    );
    await assert.rejects(target.putBlob(IMAGE, BLOB, broken), /the connection was lost/);
    assert.ok(!(await target.hasBlob(IMAGE, BLOB)));
    await target.close();
    assert.equal(readFileSync(`${path}.part`).length, 0);
    assert.ok(!existsSync(path));
  });

  it('is refused where it is not whole, or not there', async () => {
    await assert.rejects(TarSource.open(path), /cannot be read: ENOENT.*an unfinished one is called \.part/);
    await write();
    const [blob] = await filesOf(path);
    truncateSync(path, endOf(blob ?? { name: '', size: 0, offset: 0 }));
    appendFileSync(path, 'rest');
    await assert.rejects(TarSource.open(path), /index\.json: lists no images: this is not a whole archive/);
  });

  it('may have files that are larger than octal numbers reach', async () => {
    const size = 9 * 1024 ** 3;
    const file = await open(path, 'w+');
    await file.write(tarHeader('blobs/large', size), 0);
    await file.truncate(endOf({ name: '', size, offset: 0 }));
    assert.deepEqual(await tarFiles(file), [{ name: 'blobs/large', size, offset: 0 }]);
    await file.close();
  });
});

async function filesOf(path: string): Promise<Awaited<ReturnType<typeof tarFiles>>> {
  const file = await open(path);
  try {
    return await tarFiles(file);
  } finally {
    await file.close();
  }
}

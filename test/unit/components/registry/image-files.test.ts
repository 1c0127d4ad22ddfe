import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { pullFiles } from '../../../../components/registry/image-files.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { withImage } from '../../../support/registry/image-server.ts';
import { writeTar, type TarEntry } from '../../../support/registry/tar.ts';

const file = (name: string, content: string): TarEntry => ({ name, content });
const folder = (name: string): TarEntry => ({ name, type: 'directory' });
const whiteout = (name: string): TarEntry => ({ name });
const symlink = (name: string, linkname: string): TarEntry => ({ name, linkname, type: 'symlink' });
const hardLink = (name: string, linkname: string): TarEntry => ({ name, linkname, type: 'link' });

/** What is read under `manifests/` of an image with these layers. */
async function read(...layers: TarEntry[][]): Promise<Record<string, string>> {
  return readArchives(await Promise.all(layers.map(writeTar)));
}

async function readArchives(layers: readonly Buffer[]): Promise<Record<string, string>> {
  const client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
  let files: Record<string, string> = {};
  try {
    await withImage(layers, async (reference) => {
      files = Object.fromEntries((await pullFiles(client, reference, ['manifests/'])).files);
    });
  } finally {
    client.close();
  }
  return files;
}

describe('the files of an image', () => {
  const lower = [folder('manifests/'), file('manifests/a.yaml', 'old')];

  it('are those of all layers under the folders that were asked for, in the order of their names', async () => {
    const files = await read(
      [file('manifests/b.yaml', 'b'), file('other/c.yaml', 'c')],
      [file('./manifests/a.yaml', 'a'), file('/manifests/b.yaml', 'new')],
    );
    assert.deepEqual(Object.entries(files), [
      ['manifests/a.yaml', 'a'],
      ['manifests/b.yaml', 'new'],
    ]);
  });

  it('are read from plain layers and from those that gzip and zstd have compressed, in several frames too', async () => {
    const long = `manifests/${'long'.repeat(60)}.yaml`;
    const archive = await writeTar([file(long, 'x'.repeat(1000))]);
    const parts = [archive.subarray(0, 700), archive.subarray(700)];
    const packed = [(part: Buffer) => zlib.gzipSync(part), (part: Buffer) => zlib.zstdCompressSync(part)];
    for (const layer of [archive, ...packed.map((compress) => Buffer.concat(parts.map(compress)))]) {
      assert.deepEqual(await readArchives([layer]), { [long]: 'x'.repeat(1000) });
    }
  });

  describe('as OLM unpacks them', () => {
    it('are gone when a later layer whites them out, or a folder that they are in', async () => {
      assert.deepEqual(await read(lower, [whiteout('manifests/.wh.a.yaml')]), {});
      assert.deepEqual(await read(lower, [whiteout('.wh.manifests')]), {});
      assert.deepEqual(await read([file('manifests/s/a.yaml', 'old')], [whiteout('manifests/.wh.s')]), {});
    });

    it('are gone when a later layer makes their folder opaque, and stay when they are of that layer', async () => {
      const added = [file('manifests/b.yaml', 'new'), folder('manifests/s'), file('manifests/s/c.yaml', 'new')];
      const opaque = whiteout('manifests/.wh..wh..opq');
      const expected = { 'manifests/b.yaml': 'new', 'manifests/s/c.yaml': 'new' };
      assert.deepEqual(await read(lower, [opaque, ...added]), expected);
      assert.deepEqual(await read(lower, [...added, opaque]), expected);
      assert.deepEqual(await read(lower, [whiteout('.wh..wh..opq')]), {});
    });

    it('give way to a folder of their name, and folders to a file', async () => {
      const deeper = [folder('manifests/a.yaml/'), file('manifests/a.yaml/b', 'new')];
      assert.deepEqual(await read(lower, deeper), { 'manifests/a.yaml/b': 'new' });
      assert.deepEqual(await read(deeper, [file('manifests/a.yaml', 'new')]), { 'manifests/a.yaml': 'new' });
    });

    it('are what a link between them leads to, at the end', async () => {
      const link = symlink('manifests/a.yaml', 'b.yaml');
      assert.deepEqual(await read(lower, [link], [file('manifests/b.yaml', 'new')]), {
        'manifests/a.yaml': 'new',
        'manifests/b.yaml': 'new',
      });
      const deep = [folder('manifests/s'), symlink('manifests/t', 's'), symlink('manifests/a.yaml', 's/../b.yaml')];
      assert.deepEqual(await read([...deep, file('manifests/b.yaml', 'b')], [whiteout('manifests/.wh.t')]), {
        'manifests/a.yaml': 'b',
        'manifests/b.yaml': 'b',
      });
    });

    it('are what a hard link led to when it was made, though that is replaced later', async () => {
      const files = await read(
        [...lower, hardLink('manifests/b.yaml', './manifests/a.yaml')],
        [file('manifests/a.yaml', 'new')],
      );
      assert.deepEqual(files, { 'manifests/a.yaml': 'new', 'manifests/b.yaml': 'old' });
    });

    it('are not touched by links and special files elsewhere in the image', async () => {
      const base = [folder('usr/lib/'), symlink('lib', '/usr/lib'), file('lib/x', 'x'), symlink('up', '../..')];
      assert.deepEqual(await read([...base, { name: 'pipe', type: 'fifo' }, ...lower]), { 'manifests/a.yaml': 'old' });
    });
  });

  describe('are refused', () => {
    const refused = async (message: RegExp, ...layers: TarEntry[][]): Promise<void> => {
      await assert.rejects(read(...layers), { name: 'ProblemsError', message });
    };

    it('where a link leads out of the image, to nothing, to a folder, in circles, or to a file that is not read', async () => {
      const link = (target: string): TarEntry[] => [symlink('manifests/a.yaml', target)];
      await refused(
        /image:1: manifests\/a\.yaml: is a link that leads out of .*\(got "\/etc\/passwd"\)/,
        link('/etc/passwd'),
      );
      await refused(/manifests\/a\.yaml: is a link that leads out of the image/, link('../../etc/passwd'));
      await refused(/manifests\/a\.yaml: is a link to something that is not read from the image/, link('b.yaml'));
      await refused(/a link to something that is not read from the image/, [...link('../b'), file('b', 'x')]);
      await refused(/a link to something that is not read from the image/, [...link('s'), folder('manifests/s')]);
      await refused(/manifests\/a\.yaml: leads through more links than Linux follows/, link('a.yaml'));
    });

    it('where a hard link is to a file that is not there, or not read', async () => {
      const link = [hardLink('manifests/a.yaml', 'b.yaml')];
      await refused(
        /manifests\/a\.yaml: is a hard link to something that is not read from the image \(got "b\.yaml"\)/,
        link,
      );
      await refused(/manifests\/a\.yaml: is a hard link to something that is not read/, [file('b.yaml', 'b'), ...link]);
    });

    it('where a folder is a link, or files come into it through one', async () => {
      await refused(/manifests\/: is a link to a folder/, [symlink('manifests', 'data'), file('data/a.yaml', 'x')]);
      await refused(/manifests\/a\.yaml: is written through a link/, [
        symlink('manifests', 'data'),
        file('manifests/a.yaml', 'x'),
      ]);
      await refused(/data\/a\.yaml: is written through a link/, [
        symlink('data', 'manifests'),
        file('data/a.yaml', 'x'),
      ]);
      await refused(/top\/\.wh\.manifests: is written through a link/, [
        ...lower,
        symlink('top', '.'),
        whiteout('top/.wh.manifests'),
      ]);
    });

    it('where a name leads out of the image, or a whiteout names nothing', async () => {
      await refused(/manifests\/\.\.\/\.\.\/etc\/passwd: leads out of the image/, [
        file('manifests/../../etc/passwd', 'x'),
      ]);
      await refused(/manifests\/\.wh\.\.\.: is a whiteout without a name/, [whiteout('manifests/.wh...')]);
    });

    it('where something is inside of a file, or no file at all', async () => {
      await refused(/manifests\/a\.yaml\/b: is inside something that is not a folder/, lower, [
        file('manifests/a.yaml/b', 'x'),
      ]);
      await refused(/manifests\/pipe: is not a file/, [{ name: 'manifests/pipe', type: 'fifo' }]);
    });

    it('where an entry is of a kind that OLM does not unpack, or unpacks otherwise', async () => {
      const message = /manifests\/a\.yaml: is of a type that is not supported/;
      await refused(message, [{ name: 'manifests/a.yaml', type: 'contiguous-file', content: 'x' }]);
      await refused(message, [{ name: 'manifests/a.yaml', content: 'x', pax: { 'GNU.sparse.major': '1' } }]);
    });

    it('where a layer is cut off, or is no archive', async () => {
      const archive = await writeTar([file('manifests/a.yaml', 'x'.repeat(2000))]);
      for (const layer of [archive.subarray(0, 1024), zlib.gzipSync(archive).subarray(0, 60), Buffer.alloc(700, 'x')]) {
        await assert.rejects(readArchives([layer]), /layer sha256:\w+ cannot be unpacked: /);
      }
    });
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { llamaCppRecipe } from '../../../../cluster/mirror/llama-cpp.ts';
import { libraryPlaces } from '../../../../toolchain/debian-suite.ts';
import { StandIns, writeScript } from '../../../support/machine/stand-ins.ts';

describe('the image of llama.cpp', () => {
  const { libraries, loader, interpreter } = libraryPlaces();
  let directory: string;
  let model: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'llama-'));
    model = place('wheel/llm/tiny.gguf');
    place('wheel/llm-1.0.dist-info/LICENSE');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function place(path: string): string {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, '');
    return target;
  }

  /** Paths in the image, without the texts of common licences that this machine may have. */
  const pathsOf = (files: ReadonlyMap<string, string>): string[] =>
    [...files.keys()].filter((path) => !path.startsWith('usr/share/common-licenses/')).sort();

  it('has the packaged server with the C library of its Debian, all kernels, and all licences', async () => {
    for (const path of [
      'usr/bin/llama-server',
      'usr/share/doc/libllama0/copyright',
      'usr/share/doc/libllama0/NEWS.gz',
    ]) {
      place(`root/${path}`);
    }
    place('root/usr/share/doc/empty/changelog.gz');
    const kernel = `${libraries}/ggml/backends0/libggml-cpu-x64.so`;
    const server = `${libraries}/llama/libllama-server-impl.so`;
    for (const path of [kernel, server]) place(`root/${path}`);
    // The loader lists what a program is linked to.
    writeScript(place(`root/${loader}`), `echo "libllama-server-impl.so => ${directory}/root/${server} (0x1)"`);
    const script = place('root/bin/llama-server');
    const { files, dockerfile } = await llamaCppRecipe(script, model);
    assert.deepEqual(
      pathsOf(files),
      [
        'licenses/tiny.gguf/LICENSE',
        'models/tiny.gguf',
        'usr/bin/llama-server',
        'usr/share/doc/libllama0/copyright',
        interpreter,
        kernel,
        server,
      ].sort(),
    );
    assert.equal(files.get('usr/bin/llama-server'), join(directory, 'root/usr/bin/llama-server'));
    assert.equal(files.get(interpreter), join(directory, 'root', loader));
    assert.match(dockerfile, /^USER 10001:10001\nEXPOSE 8080\nENTRYPOINT \["\/usr\/bin\/llama-server"\]$/m);
  });

  it('has a server that was built here with the libraries of this machine', async () => {
    const library = place('liba.so');
    const program = place('built/llama-server');
    place('built/licences/LICENSE');
    const standIns = new StandIns({ ldd: `echo "liba.so => ${library} (0x1)"`, 'dpkg-query': 'exit 1' });
    const { files } = await llamaCppRecipe(program, model).finally(() => standIns.remove());
    assert.equal(files.get('usr/bin/llama-server'), program);
    assert.deepEqual(
      pathsOf(files),
      [
        'licenses/LICENSE',
        'licenses/tiny.gguf/LICENSE',
        'models/tiny.gguf',
        'usr/bin/llama-server',
        library.slice(1),
      ].sort(),
    );
  });
});

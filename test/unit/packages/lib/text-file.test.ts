import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTextFile, readTextStream, writeTextFiles } from '../../../../packages/lib/text-file.ts';

describe('files of text', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'text-file-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are written all together', async () => {
    writeFileSync(at('b'), 'old');
    await writeTextFiles([
      { path: at('a'), text: 'one' },
      { path: at('b'), text: 'two' },
    ]);
    assert.deepEqual([readFileSync(at('a'), 'utf8'), readFileSync(at('b'), 'utf8')], ['one', 'two']);
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'b']);
  });

  it('leave links, devices and modes as they are', async () => {
    writeFileSync(at('real'), 'old', { mode: 0o600 });
    symlinkSync(at('real'), at('link'));
    symlinkSync('/dev/null', at('nothing'));
    await writeTextFiles([
      { path: at('link'), text: 'new' },
      { path: at('nothing'), text: 'gone' },
    ]);
    assert.deepEqual([readFileSync(at('real'), 'utf8'), statSync(at('real')).mode & 0o777], ['new', 0o600]);
    assert.ok(lstatSync(at('link')).isSymbolicLink() && statSync('/dev/null').isCharacterDevice());
    assert.deepEqual(readdirSync(folder).sort(), ['link', 'nothing', 'real']);
  });

  it('are not written at all where one of them cannot be', async () => {
    writeFileSync(at('a'), 'old');
    mkdirSync(at('folder'));
    for (const [name, message] of [
      ['nowhere/b', 'cannot be written: its folder does not exist. Make the folder first, or name another.'],
      ['folder', 'is a folder. Name a file.'],
      ['a/b', 'cannot be written: a part of its path is a file. Name a folder.'],
    ] as const) {
      const writing = writeTextFiles([
        { path: at('a'), text: 'new' },
        { path: at(name), text: 'new' },
      ]);
      await assert.rejects(writing, { message: `${at(name)}: ${message}` });
      assert.equal(readFileSync(at('a'), 'utf8'), 'old');
      assert.deepEqual(readdirSync(folder).sort(), ['a', 'folder']);
    }
  });

  it('lose a byte order mark, and nothing else', async () => {
    writeFileSync(at('a'), '\uFEFFgrün\r\n');
    assert.equal(await readTextFile(at('a')), 'grün\r\n');
  });

  it('are read from a stream alike', async () => {
    const chunks = async function* (...texts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
      for (const each of texts) yield Promise.resolve(each);
      await Promise.resolve();
    };
    const text = Buffer.from('grün');
    assert.equal(await readTextStream(chunks(text.subarray(0, 3), text.subarray(3)), 'standard input'), 'grün');
    await assert.rejects(readTextStream(chunks(Buffer.from([0xe9])), 'standard input'), {
      message: 'standard input: line 1: is not UTF-8 text. Save it as UTF-8.',
    });
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { processIo } from '../../../../cli/io.ts';
import { main } from '../../../../cli/main.ts';
import { recordingIo } from '../recording-io.ts';

/** Something that people get wrong, and the whole of what they are told. */
export interface WrongInput {
  readonly args: readonly string[];
  /** Files of the folder in which the command runs. A name that ends in `/` is a folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Every line; the usage that follows wrong arguments is added. */
  readonly says: string | readonly string[];
  /** How each line begins, where that is the same for a whole table: the file, the line and the object. */
  readonly after?: RegExp;
}

/** What no person should have to read: words of Node, of the parser and of regular expressions. */
const RAW =
  /\bE[A-Z]{4,}\b:|ECONN|SyntaxError|TypeError|\bat .+:\d+:\d+|\[object |\bundefined\b|\bNaN\b|must match|position \d+|Unexpected token|not iterable|Cannot read/;

/** A remedy is a sentence of its own, or a question; the rules of the CRD have theirs after a colon, or say what must be. */
const WITH_REMEDY = /[.?:…] [A-Z`"-][^]*[.?:\w)`}…]$|: (?:use|write) |; make | must /;

/** Runs a command as somebody would in a folder with these files, and compares all that can be seen of it. */
export async function assertTold({ args, files = {}, input = '', env = {}, says, after }: WrongInput): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wrong-input-'));
  const before = process.cwd();
  try {
    for (const [name, content] of Object.entries(files)) writeInto(folder, name, content);
    const found = contentOf(folder);
    process.chdir(folder);
    const recording = recordingIo({}, { HOME: folder, KUBECONFIG: join(folder, 'kubeconfig'), ...env });
    const read = (path: string): Promise<string> => (path === '-' ? Promise.resolve(input) : processIo.read(path));
    const code = await main(args, { ...recording, read, list: (path) => processIo.list(path) });
    const lines = recording.stderr().trimEnd().replaceAll(folder, '').split('\n');
    const [first = ''] = lines;
    const usage = code === 2 ? [lines.find((line) => line.startsWith('Usage: ')) ?? 'Usage: is missing'] : [];
    if (after !== undefined) for (const line of lines) assert.match(line, after);
    const told = after === undefined ? lines : lines.map((line) => line.replace(after, ''));
    assert.deepEqual(told, [...[says].flat(), ...usage]);
    assert.equal(recording.stdout(), '');
    assert.ok(code === 1 || code === 2, `exit code ${code}`);
    assert.doesNotMatch(lines.join('\n'), RAW);
    if (code === 1) for (const line of lines) assert.match(line, WITH_REMEDY, `no remedy: ${line}`);
    else assert.match(first, /^fleet[a-z -]*: /);
    assert.deepEqual(contentOf(folder), found, 'something was written');
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
}

/** Every line of a table as a test. */
export function describeWrongInputs(title: string, inputs: Readonly<Record<string, WrongInput>>): void {
  describe(title, () => {
    for (const [name, input] of Object.entries(inputs)) it(name, () => assertTold(input));
  });
}

function writeInto(folder: string, name: string, content: string | Uint8Array): void {
  const path = join(folder, name);
  if (name.endsWith('/')) mkdirSync(path, { recursive: true });
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

function contentOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      return [name, statSync(path).isDirectory() ? 'folder' : readFileSync(path, 'base64')];
    }),
  );
}

import { readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { codeOf, messageOf } from './error.ts';
import { ProblemsError, type Problem } from './problem.ts';
import { closestName } from './similar.ts';

/** A file that cannot be read or written, in words, with the code that Node gave. */
export class FileError extends ProblemsError {
  readonly problem: Problem;
  readonly code: string;

  constructor(problem: Problem, code = '') {
    super([problem]);
    this.name = 'FileError';
    this.problem = problem;
    this.code = code;
  }
}

/** Far more than any file that people write; a lock of thousands of releases is a tenth of it. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The text of a file; `object` is what a message calls it. */
export async function readTextFile(path: string, object = path): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw tooLarge(object);
    return decodeText(await readFile(path), object);
  } catch (error) {
    throw await asFileError(error, path, object);
  }
}

/** Everything that arrives, up to the same bound. */
export async function readTextStream(chunks: AsyncIterable<Uint8Array>, object: string): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge(object);
    read.push(chunk);
  }
  return decodeText(Buffer.concat(read), object);
}

/** Bytes as text. Read as UTF-8, other encodings would give other words than somebody wrote, in silence. */
export function decodeText(bytes: Uint8Array, object: string): string {
  const remedy = 'Save it as UTF-8.';
  const text = new TextDecoder().decode(bytes);
  // PowerShell writes UTF-16 by default.
  if (text.includes('\0')) throw new FileError({ object, path: '', message: 'is not UTF-8 text', remedy });
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length;
    throw new FileError({ object, path: `line ${line}`, message: 'is not UTF-8 text', remedy });
  }
  return text;
}

/** A file that is to be written. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Writes files all together, or none of them: each beside its place first. Links are followed, and devices and pipes written to. */
export async function writeTextFiles(files: readonly TextFile[]): Promise<void> {
  const drafts = await Promise.all(files.map(draftOf));
  try {
    for (const { path, text, draft, mode } of drafts) {
      if (draft === undefined) continue;
      await writeFile(draft, text, { mode }).catch((error: unknown) => refuseUnwritten(error, path));
    }
    for (const { path, text, draft, target } of drafts) {
      const written = draft === undefined ? writeFile(target, text) : rename(draft, target);
      await written.catch((error: unknown) => refuseUnwritten(error, path));
    }
  } finally {
    await Promise.all(drafts.map(({ draft = '' }) => rm(draft, { force: true }).catch(() => undefined)));
  }
}

interface Draft extends TextFile {
  /** Where a link leads to. */
  readonly target: string;
  /** Nothing where a file must not take the place of what is there, such as a device. */
  readonly draft: string | undefined;
  readonly mode: number;
}

async function draftOf(file: TextFile): Promise<Draft> {
  const { path } = file;
  const target = await realpath(path).catch(() => path);
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory() === true) {
    throw new FileError({ object: path, path: '', message: 'is a folder', remedy: 'Name a file.' }, 'EISDIR');
  }
  const draft = found === undefined || found.isFile() ? `${target}.draft-${process.pid}` : undefined;
  return { ...file, target, draft, mode: (found?.mode ?? 0o666) & 0o777 };
}

function refuseUnwritten(error: unknown, path: string): never {
  throw unwritten(error, path);
}

const NOT_WRITTEN: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  ENOENT: ['cannot be written: its folder does not exist', 'Make the folder first, or name another.'],
  ENOTDIR: ['cannot be written: a part of its path is a file', 'Name a folder.'],
  EEXIST: ['cannot be written: there is a file where a folder should be', 'Name another folder.'],
  EISDIR: ['is a folder', 'Name a file.'],
  EACCES: ['may not be written', 'Check the permissions of its folder.'],
  EPERM: ['may not be written', 'Check the permissions of its folder.'],
  EROFS: ['cannot be written: the disk is read-only', 'Name a folder elsewhere.'],
  ENOSPC: ['cannot be written: the disk is full', 'Make room, and run it again.'],
};

/** Why something was not written. */
export function unwritten(error: unknown, path: string): Error {
  const [message, remedy] = NOT_WRITTEN[codeOf(error)] ?? [];
  if (message === undefined) return error instanceof Error ? error : new Error(messageOf(error));
  return new FileError({ object: path, path: '', message, ...(remedy === undefined ? {} : { remedy }) }, codeOf(error));
}

const NOT_READ: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  EISDIR: ['is a folder', 'Name a file in it.'],
  ENOTDIR: ['a part of its path is a file', 'Check the path.'],
  EACCES: ['may not be read', 'Check its permissions.'],
  EPERM: ['may not be read', 'Check its permissions.'],
  ENAMETOOLONG: ['is a longer name than a file can have', 'Check the name.'],
  ELOOP: ['is a link that leads back to itself', 'Name the file itself.'],
};

/** Why something was not read: errors of Node in words, others as they are. */
export async function asFileError(error: unknown, path: string, object = path): Promise<unknown> {
  const code = codeOf(error);
  if (error instanceof ProblemsError) return error;
  if (code === 'ENOENT')
    return new FileError({ object, path: '', message: 'there is no such file', remedy: await nearby(path) }, code);
  const [message, remedy] = NOT_READ[code] ?? [];
  return message === undefined || remedy === undefined
    ? error
    : new FileError({ object, path: '', message, remedy }, code);
}

/** The file that was meant, or where it was looked for. */
async function nearby(path: string): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => undefined);
  if (names === undefined) return 'Its folder does not exist either.';
  const byStem = new Map(names.map((name) => [stem(name), name]));
  const closest = closestName(stem(basename(path)), byStem.keys());
  const meant = closest === undefined ? undefined : byStem.get(closest);
  if (meant !== undefined) return `Did you mean ${meant}?`;
  return isAbsolute(path) ? 'Check the path.' : 'Check the path, and the folder that you are in.';
}

/** What a name says: that two files end alike does not make them the same. */
function stem(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

function tooLarge(object: string): FileError {
  const remedy = 'Check that it is the right file.';
  return new FileError({ object, path: '', message: `is larger than ${MOST_BYTES / 1024 / 1024} MiB`, remedy });
}

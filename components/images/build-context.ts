import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** Files of an image that holds nothing but text, and the labels that OLM recognises it by. */
export interface TextImageContent {
  readonly files: ReadonlyMap<string, string>;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The build context of an image FROM scratch: its folders and a Dockerfile that copies them. No program is in such an
 * image, so there is nothing in it to patch.
 */
export function textImageContext({ files, labels }: TextImageContent): Map<string, string> {
  const folders = [...new Set([...files.keys()].map((path) => path.slice(0, path.indexOf('/'))))].sort();
  const lines = [
    'FROM scratch',
    ...Object.entries(labels).map(([key, value]) => `LABEL ${key}=${JSON.stringify(value)}`),
    ...folders.map((folder) => `COPY ${folder} /${folder}/`),
  ];
  return new Map([...files, ['Dockerfile', `${lines.join('\n')}\n`]]);
}

/**
 * Makes a directory hold exactly these files. Each file's time is derived from its content: BuildKit takes two files of
 * the same size and time for the same file, and contexts that are written together share both.
 */
export function writeContext(directory: string, files: ReadonlyMap<string, string>): string {
  for (const path of existingFiles(directory)) if (!files.has(path)) rmSync(join(directory, path));
  for (const [path, content] of files) {
    const file = join(directory, path);
    if (readIfThere(file) !== content) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    const time = contentTime(content);
    utimesSync(file, time, time);
  }
  return directory;
}

/** A time that no two contents are likely to share, in seconds; what BuildKit exports is dated by the source instead. */
function contentTime(content: string): number {
  return createHash('sha256').update(content).digest().readUInt32BE() / 2;
}

function existingFiles(directory: string): string[] {
  mkdirSync(directory, { recursive: true });
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { objectAt } from './json.ts';

/** A file that was packed from others, and what it was packed from: hashes by path. */
function recordOf(file: string): string {
  return `${file}.sources.json`;
}

/** Writes down, beside a packed file, what it was packed from. Paths are absolute; what lies outside of the root, or in node_modules, is left out. */
export function recordSources(file: string, sources: readonly string[], root: string): void {
  const paths = [...sources, file].map((source) => relative(root, source).split(sep).join('/'));
  const own = paths.filter((path) => !path.startsWith('../') && !path.includes('node_modules/'));
  const hashes = Object.fromEntries([...new Set(own)].sort().map((path) => [path, hashOf(join(root, path))]));
  writeFileSync(recordOf(file), `${JSON.stringify(hashes, null, 2)}\n`);
}

/** Whether a packed file is there, and it and everything that it was packed from is as it was then. */
export function isPackedFromSources(file: string, root: string): boolean {
  const hashes = recorded(file);
  const paths = Object.keys(hashes);
  return paths.length > 0 && paths.every((path) => hashes[path] === hashOf(join(root, path)));
}

function recorded(file: string): Readonly<Record<string, unknown>> {
  try {
    return objectAt(JSON.parse(readFileSync(recordOf(file), 'utf8')));
  } catch {
    return {};
  }
}

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}

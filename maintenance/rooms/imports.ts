import { join, dirname } from 'node:path';
import ts from 'typescript';
import type { Problem } from '../../packages/lib/problem.ts';
import { mayUse, roomOf, type Room } from './rooms.ts';

/** What the package.json of a room says. */
export interface Manifest {
  /** The name under which other rooms could import it. */
  readonly name: string;
  /** npm packages that it may import. */
  readonly packages: ReadonlySet<string>;
}

/** The source of a file, with its place. */
export interface SourceFile {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Imports that a room may not make: of rooms that are not below it, and of npm packages that it does not declare. */
export function forbiddenImports(
  rooms: readonly Room[],
  manifests: ReadonlyMap<string, Manifest>,
  { path, text }: SourceFile,
): Problem[] {
  const room = roomOf(rooms, path);
  if (room === undefined) return [{ object: path, path: '', ...NO_ROOM }];
  return importsOf(text).flatMap(({ specifier, line }): Problem[] => {
    const object = `${path}:${line}`;
    const target = targetOf(rooms, manifests, path, specifier);
    if (target.room !== undefined) {
      if (mayUse(room, target.room)) return [];
      return [{ object, path: specifier, message: `${room.name} may not use ${target.room}`, remedy: remedyFor(room) }];
    }
    if (target.package !== undefined && room.without?.includes(target.package) === true) {
      return [{ object, path: specifier, message: `${room.name} may not use this npm package`, remedy: room.because }];
    }
    const declared = target.package === undefined || (manifests.get(room.name)?.packages.has(target.package) ?? false);
    if (declared) return [];
    const remedy = `Declare it in the package.json of ${room.name}, or do without it.`;
    return [{ object, path: specifier, message: 'is an npm package that the room does not declare', remedy }];
  });
}

const NO_ROOM = {
  message: 'is not in a room',
  remedy: 'Put it into one of the folders of maintenance/rooms/rooms.yaml, or name its folder there.',
};

function remedyFor({ name, because, uses }: Room): string {
  const allowed = uses === 'all' || uses.length === 0 ? 'nothing else' : uses.join(', ');
  return `${because} It may use ${allowed}: move what both need into a room below ${name}, or pass it in.`;
}

interface Target {
  readonly room?: string;
  readonly package?: string;
}

function targetOf(
  rooms: readonly Room[],
  manifests: ReadonlyMap<string, Manifest>,
  path: string,
  specifier: string,
): Target {
  if (specifier.startsWith('node:')) return {};
  if (specifier.startsWith('.')) {
    const file = join(dirname(path), specifier);
    return { room: roomOf(rooms, file)?.name ?? file };
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const [owner] = [...manifests].find(([, manifest]) => manifest.name === name) ?? [];
  return owner === undefined ? { package: name } : { room: owner };
}

interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** Imports of every form, types included, as the compiler's own scanner finds them. */
function importsOf(text: string): Import[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles
    .filter(({ pos }) => !METHOD_BEFORE.test(text.slice(Math.max(pos - 40, 0), pos)))
    .map(({ fileName, pos }) => ({ specifier: fileName, line: text.slice(0, pos).split('\n').length }));
}

/** TypeScript takes a method of this name, such as that of Pulumi's configuration, for Node's function. */
const METHOD_BEFORE = /\.\s*require\s*\(\s*['"`]?$/;

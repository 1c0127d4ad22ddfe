import { readFileSync } from 'node:fs';
import { readYaml } from '../../packages/lib/read-yaml.ts';

/** A part of this repository with a name, and what it may use. */
export interface Room {
  readonly name: string;
  readonly holds: string;
  /** Why it may not use more. */
  readonly because: string;
  readonly uses: readonly string[] | 'all';
  /** npm packages that it may not use, although its package.json has them for other rooms. */
  readonly without?: readonly string[];
}

const ROOMS_FILE = new URL('rooms.yaml', import.meta.url);

/** The rooms as rooms.yaml lists them: lowest first. */
export function readRooms(text: string = readFileSync(ROOMS_FILE, 'utf8')): Room[] {
  const rooms = readYaml(text, 'maintenance/rooms/rooms.yaml') as Readonly<Record<string, Omit<Room, 'name'>>>;
  return Object.entries(rooms).map(([name, room]) => ({ name, ...room }));
}

/** The room that a file of this repository is in; files at the top are in no room. */
export function roomOf<T extends Pick<Room, 'name'>>(rooms: readonly T[], file: string): T | undefined {
  return rooms.find(({ name }) => file === name || file.startsWith(`${name}/`));
}

/** Whether one room may use the other. */
export function mayUse(from: Room, to: string): boolean {
  return from.name === to || from.uses === 'all' || from.uses.includes(to);
}

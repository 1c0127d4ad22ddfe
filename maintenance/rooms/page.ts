import { code, table } from '../../packages/lib/markdown.ts';
import type { Room } from './rooms.ts';

const INTRODUCTION = `# The rooms of this repository

<!-- Written by \`make generate\` from maintenance/rooms/rooms.yaml. -->

Every folder with code is a room. Imports go one way: a room uses rooms that are below it, and \`make check\` refuses every other
import with the reason, also of an npm package that the room's package.json does not declare. Arrows lead from a room to those
that it may use; those that follow from others are left out.
`;

/** The allowed picture, before it is formatted. */
export function roomsPage(rooms: readonly Room[]): string {
  const rows = rooms.map(({ name, holds, because, uses, without = [] }) => {
    const not = without.length === 0 ? '' : `; not ${without.map(code).join(', ')}`;
    const allowed = `${uses === 'all' ? 'all' : uses.map(code).join(', ')}${not}`;
    return [code(name), `${holds} ${because}`, allowed];
  });
  const arrows = rooms.flatMap(({ name, uses }) =>
    (uses === 'all' ? [] : direct(rooms, uses)).map((used) => `  ${id(name)} --> ${id(used)}`),
  );
  const nodes = rooms.filter(({ uses }) => uses !== 'all').map(({ name }) => `  ${id(name)}[${name}]`);
  return [
    INTRODUCTION,
    '```mermaid',
    'flowchart TD',
    ...nodes,
    ...arrows,
    '```',
    '',
    table(['room', 'what it holds, and why it is apart', 'may use'], rows),
  ].join('\n');
}

/** The rooms that one may use, without those that it reaches through another. */
function direct(rooms: readonly Room[], uses: readonly string[]): string[] {
  const below = rooms.filter(({ name }) => uses.includes(name)).flatMap((room) => room.uses);
  return uses.filter((name) => !below.includes(name));
}

function id(name: string): string {
  return name.replaceAll('/', '_');
}

import yaml from 'js-yaml';

/** The value of one document, and on which line of the text a part of it begins, counted from 1. */
export interface LocatedValue {
  readonly value: unknown;
  /** The line of a path such as `spec.ports[0].name`; of what it is in, where there is no such part. */
  readonly lineOf: (path: string) => number | undefined;
}

/** What the parser went through: a scalar, a map or a list, and what was in it, keys and values in turn. */
interface Node {
  readonly line: number;
  readonly children: Node[];
  result?: unknown;
}

/** Reads every document of a YAML or JSON text. Throws what the parser throws. */
export function loadLocated(text: string): LocatedValue[] {
  const roots: Node[] = [];
  const open: Node[] = [];
  const listener = (event: yaml.EventType, state: yaml.State): void => {
    if (event === 'open') {
      open.push({ line: lineAt(state), children: [] });
      return;
    }
    const node = open.pop();
    if (node === undefined) return;
    node.result = state.result as unknown;
    const parent = open.at(-1);
    (parent?.children ?? roots).push(node);
  };
  const values: unknown[] = yaml.loadAll(text, undefined, { listener: (event, state) => listener(event, state) });
  return values.map((value, index) => {
    const lines = new Map<string, number>();
    const root = roots[index];
    if (root !== undefined) place(root, value, '', lines);
    return { value, lineOf: (path) => lineIn(lines, path) };
  });
}

/** The parser opens a node before it skips the spaces and line ends in front of it. */
function lineAt({ input, position, line }: yaml.State): number {
  let skipped = 0;
  for (let at = position; at < input.length; at += 1) {
    const character = input[at];
    if (character === '\n') skipped += 1;
    else if (character === '#') at = endOfLine(input, at) - 1;
    else if (character !== ' ' && character !== '\t' && character !== '\r') break;
  }
  return line + skipped + 1;
}

function endOfLine(input: string, from: number): number {
  const end = input.indexOf('\n', from);
  return end === -1 ? input.length : end;
}

/** Follows values, since the parser also looks at what turns out to be something else. */
function place(found: Node, value: unknown, path: string, lines: Map<string, number>): void {
  if (!lines.has(path)) lines.set(path, found.line);
  if (typeof value !== 'object' || value === null) return;
  const { children } = withoutDetour(found, value);
  if (Array.isArray(value)) placeItems(children, value, path, lines);
  else placeFields(children, value as Readonly<Record<string, unknown>>, path, lines);
}

/** What begins with a bracket is read as if it were the key of a map, before it turns out to be all. */
function withoutDetour(node: Node, value: object): Node {
  const [only, second] = node.children;
  return second === undefined && only?.result === value ? withoutDetour(only, value) : node;
}

function placeItems(nodes: readonly Node[], items: readonly unknown[], path: string, lines: Map<string, number>): void {
  let index = 0;
  for (const node of nodes) {
    if (node.result !== items[index]) continue;
    place(node, items[index], `${path}[${String(index)}]`, lines);
    index += 1;
  }
}

/** Keys and values follow each other; a value that is not written has no node. */
function placeFields(
  nodes: readonly Node[],
  fields: Readonly<Record<string, unknown>>,
  path: string,
  lines: Map<string, number>,
): void {
  for (let at = 0; at < nodes.length; at += 1) {
    const [keyNode, valueNode] = nodes.slice(at, at + 2);
    const key = String(keyNode?.result);
    if (keyNode === undefined || !Object.hasOwn(fields, key)) continue;
    const inner = path === '' ? key : `${path}.${key}`;
    lines.set(inner, keyNode.line);
    if (valueNode === undefined || valueNode.result !== fields[key]) continue;
    place(valueNode, fields[key], inner, lines);
    at += 1;
  }
}

function lineIn(lines: ReadonlyMap<string, number>, path: string): number | undefined {
  for (let rest = path; ;) {
    const line = lines.get(rest);
    if (line !== undefined || rest === '') return line;
    const shorter = rest.replace(/(?:\.[^.[\]]*|\[[^\]]*\]|^[^.[\]]*)$/, '');
    // Keys may hold brackets themselves; where such a path ends nobody can tell, so the document's own line has to do.
    rest = shorter === rest ? '' : shorter;
  }
}

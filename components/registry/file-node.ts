import { boundedName, UnpackError } from './unpack-error.ts';

/** Folders are maps by name; only wanted files have their text. */
export type FileNode = Directory | File | Link | 'special';
export type Directory = Map<string, FileNode>;
interface File {
  readonly text?: string;
}
interface Link {
  readonly target: string;
}

/** Where a path leads. */
export interface Place {
  readonly path: readonly string[];
  /** A link was followed on the way. */
  readonly followed: boolean;
  /** On a machine that has unpacked the image, the path leads out of it. */
  readonly escapes: boolean;
  /** On such a machine the path is broken: it continues below something that is not a folder. */
  readonly isBroken: boolean;
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;

export function isLink(node: FileNode | undefined): node is Link {
  return typeof node === 'object' && 'target' in node;
}

/** The text of a wanted file. */
export function textOf(node: FileNode | undefined): string | undefined {
  return typeof node === 'object' && 'text' in node ? node.text : undefined;
}

export function nodeAt(root: Directory, path: readonly string[]): FileNode | undefined {
  return path.reduce<FileNode | undefined>((node, part) => (node instanceof Map ? node.get(part) : undefined), root);
}

/** Follows all links of a path inside the image, as if its root were the machine's. */
export function followLinks(root: Directory, path: readonly string[]): Place {
  const ahead = [...path].reverse();
  let trail: { part: string; node: FileNode | undefined }[] = [];
  let links = 0;
  let escapes = false;
  let isBroken = false;
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    const above = trail.length === 0 ? root : trail.at(-1)?.node;
    if (!(above instanceof Map)) isBroken = true;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (trail.pop() === undefined) escapes = true;
      continue;
    }
    const node = above instanceof Map ? above.get(part) : undefined;
    if (!isLink(node)) {
      trail.push({ part, node });
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new UnpackError(path.join('/'), 'leads through more links than Linux follows', 'link');
    if (node.target.startsWith('/')) [trail, escapes] = [[], true];
    ahead.push(...node.target.split('/').reverse());
  }
  const parts = trail.map(({ part }) => part);
  boundedName(parts.join('/'));
  return { path: parts, followed: links > 0, escapes, isBroken };
}

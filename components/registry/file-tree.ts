import { followLinks, isLink, nodeAt, textOf, type Directory, type FileNode } from './file-node.ts';
import type { LayerEntry } from './layer.ts';
import { UnpackError } from './unpack-error.ts';

const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';

/** The files of an image, made as OLM makes them on its disk: layer by layer, entry by entry, as containerd's `archive.Apply` does. */
export class FileTree {
  readonly #root: Directory = new Map();
  readonly #folders: readonly string[];
  /** Paths that the present layer has made so far: what its opaque markers leave alone. */
  #fresh = new Set<string>();
  /** The folders that the present layer names. */
  #directories: LayerEntry[] = [];

  /** `folders` are those whose files are wanted, e.g. `manifests/`. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  isWanted(path: string): boolean {
    return this.#folders.some((folder) => path.startsWith(folder));
  }

  startLayer(): void {
    this.#fresh = new Set();
    this.#directories = [];
  }

  /** OLM gives folders their times at the end of a layer, and fails if the layer itself has removed one. */
  endLayer(): void {
    const lost = this.#directories.find(({ path }) => {
      return nodeAt(this.#root, followLinks(this.#root, path.split('/')).path) === undefined;
    });
    if (lost !== undefined) throw new UnpackError(lost.name, 'is a folder that its own layer removes', 'archive');
  }

  apply(entry: LayerEntry): void {
    if (entry.path === '') return;
    const parents = entry.path.split('/');
    const base = parents.pop() ?? '';
    const { path, followed } = followLinks(this.#root, parents);
    const isWhiteout = base.startsWith(WHITEOUT);
    const name = isWhiteout ? base.slice(WHITEOUT.length) : base;
    const changed = base === OPAQUE ? path : [...path, name];
    if (followed && (this.#concerns(parents) || this.#concerns(changed))) {
      throw new UnpackError(entry.name, 'is written through a link to a folder', 'link');
    }
    const directory = this.#makeDirectories(path, entry);
    if (base === OPAQUE) this.#removeLower(directory, path.join('/'));
    else if (isWhiteout) removeName(directory, name, entry);
    else this.#put(directory, changed, entry);
  }

  /** The wanted files by path, in the order of their names; a link stands for the file that it leads to. */
  files(): Map<string, string> {
    const files = new Map<string, string>();
    for (const folder of this.#folders) {
      const { path, followed } = followLinks(this.#root, folder.split('/'));
      // OLM follows this link too, but the content of its target was not kept while unpacking.
      if (followed) throw new UnpackError(folder, 'is a link to a folder', 'link');
      const node = nodeAt(this.#root, path);
      if (node instanceof Map) this.#collect(node, path, files);
      else if (node !== undefined) throw new UnpackError(folder, 'is not a folder', 'archive');
    }
    return files;
  }

  #collect(directory: Directory, path: readonly string[], files: Map<string, string>): void {
    for (const [name, node] of [...directory].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const full = [...path, name];
      if (node instanceof Map) this.#collect(node, full, files);
      else files.set(full.join('/'), this.#textAt(full, node));
    }
  }

  #textAt(path: readonly string[], node: FileNode): string {
    const name = path.join('/');
    const text = textOf(node);
    if (text !== undefined) return text;
    if (!isLink(node)) throw new UnpackError(name, 'is not a file', 'archive');
    const place = followLinks(this.#root, path);
    if (place.escapes) throw new UnpackError(name, 'is a link that leads out of the image', 'link', node.target);
    const linked = textOf(nodeAt(this.#root, place.path));
    if (linked !== undefined && !place.isBroken) return linked;
    throw new UnpackError(name, 'is a link to something that is not read from the image', 'link', node.target);
  }

  #put(directory: Directory, path: readonly string[], entry: LayerEntry): void {
    const name = path.at(-1) ?? '';
    const isMerged = entry.type === 'directory' && directory.get(name) instanceof Map;
    if (!isMerged) {
      // Deleted first, because a hard link must not find what it replaces.
      directory.delete(name);
      directory.set(name, this.#nodeOf(entry, path));
    }
    this.#fresh.add(path.join('/'));
    if (entry.type === 'directory') this.#directories.push(entry);
  }

  #nodeOf(entry: LayerEntry, path: readonly string[]): FileNode {
    const { type, linkname, content } = entry;
    if (type === 'directory') return new Map();
    if (type === 'symlink') return { target: linkname };
    if (type === 'special') return 'special';
    if (type === 'file') return content === undefined ? {} : { text: content };
    return this.#hardLink(entry, path);
  }

  /** Whatever replaces a file is a new file, so two names of one file never change together. */
  #hardLink({ name, linkname }: LayerEntry, path: readonly string[]): FileNode {
    const parents = linkname.split('/');
    const base = parents.pop() ?? '';
    const linked = nodeAt(this.#root, [...followLinks(this.#root, parents).path, base]);
    const isRead = isLink(linked) || textOf(linked) !== undefined;
    if (linked !== undefined && !(linked instanceof Map) && (isRead || !this.#concerns(path))) return linked;
    throw new UnpackError(name, 'is a hard link to something that is not read from the image', 'link', linkname);
  }

  /** Like containerd, treats a folder as a lower layer's unless this layer has an entry for the folder itself. */
  #removeLower(directory: Directory, path: string): void {
    for (const [name, node] of directory) {
      const full = path === '' ? name : `${path}/${name}`;
      if (!this.#fresh.has(full)) directory.delete(name);
      else if (node instanceof Map) this.#removeLower(node, full);
    }
  }

  #makeDirectories(path: readonly string[], { name }: LayerEntry): Directory {
    let directory = this.#root;
    for (const part of path) {
      const node = directory.get(part) ?? new Map<string, FileNode>();
      if (!(node instanceof Map)) {
        throw new UnpackError(name, 'is inside something that is not a folder', 'archive');
      }
      directory.set(part, node);
      directory = node;
    }
    return directory;
  }

  /** Whether a change of a path can be seen in a wanted folder. */
  #concerns(path: readonly string[]): boolean {
    const prefix = path.map((part) => `${part}/`).join('');
    return this.#folders.some((folder) => prefix.startsWith(folder) || folder.startsWith(prefix));
  }
}

function removeName(directory: Directory, name: string, { name: whiteout }: LayerEntry): void {
  if (['', '.', '..'].includes(name)) throw new UnpackError(whiteout, 'is a whiteout without a name', 'archive');
  directory.delete(name);
}

/**
 * Tells what others have changed from the echoes of our own writes. A watch is often faster than the answer to the write, and
 * then a change looks like somebody else's until the answer names the same version. So changes that are heard while a key
 * is being worked on are only noted, and those that the work itself has made are struck off.
 */
export class Echoes {
  readonly #noted = new Map<string, Set<string>>();
  readonly #written = new Set<string>();

  /** The work on a key begins. */
  begin(key: string): void {
    this.#noted.set(key, new Set());
  }

  /** Whether the change was noted; if not, nobody works on the key and the change is news. */
  heard(key: string, object: string, version: number): boolean {
    const noted = this.#noted.get(key);
    noted?.add(versionOf(object, version));
    return noted !== undefined;
  }

  /** The work itself has made this version. */
  wrote(key: string, object: string, version: number): void {
    if (this.#noted.get(key)?.delete(versionOf(object, version)) !== undefined) this.#written.add(key);
  }

  /** Whether the work on a key has written something so far. */
  hasWritten(key: string): boolean {
    return this.#written.has(key);
  }

  /** The work has ended; whether something was changed meanwhile that it has not made itself. */
  end(key: string): boolean {
    const noted = this.#noted.get(key);
    this.#noted.delete(key);
    this.#written.delete(key);
    return noted !== undefined && noted.size > 0;
  }
}

function versionOf(object: string, version: number): string {
  return `${object}@${version}`;
}

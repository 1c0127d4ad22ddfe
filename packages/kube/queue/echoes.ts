/**
 * Distinguishes changes by others from echoes of our own writes. A watch is often faster than the answer to the write, and
 * then a change looks like somebody else's until the answer names the same version. So changes that are heard while a key
 * is being worked on are only noted, and those that the work itself has made are struck off.
 */
export class Echoes {
  readonly #noted = new Map<string, Set<string>>();
  /** What all tries of a key have written since it was last forgotten. */
  readonly #written = new Map<string, Set<string>>();
  readonly #further = new Set<string>();

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
    if (this.#noted.get(key)?.delete(versionOf(object, version)) === undefined) return;
    const written = this.#written.get(key) ?? new Set();
    if (written.has(object)) return;
    this.#written.set(key, written.add(object));
    this.#further.add(key);
  }

  /**
   * Whether this try of a key has written something that no earlier try has. A try that only repeats earlier writes may do so for
   * ever.
   */
  cameFurther(key: string): boolean {
    return this.#further.has(key);
  }

  /** The work on a key has succeeded, or there is nothing to work on any more. */
  forget(key: string): void {
    this.#written.delete(key);
  }

  /** The work has ended. Returns whether somebody else changed something meanwhile. */
  end(key: string): boolean {
    const noted = this.#noted.get(key);
    this.#noted.delete(key);
    this.#further.delete(key);
    return noted !== undefined && noted.size > 0;
  }
}

function versionOf(object: string, version: number): string {
  return `${object}@${version}`;
}

/** Settings that had another name, and what they are called now. */
export const RENAMED: ReadonlyMap<string, string> = new Map([['images.engine', 'images.builder']]);

/** The same object without what is undefined, which is not the same as absent to whoever reads it. */
export function definedOnly<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** An object that counts how often its fields are read. */
export function counting<T extends object>(object: T, counter: { reads: number }): T {
  return new Proxy(object, {
    get: (target, field) => {
      counter.reads += 1;
      return Reflect.get(target, field) as unknown;
    },
  });
}

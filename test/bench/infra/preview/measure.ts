export interface Figures {
  /** Seconds of every round, in the order in which they were run. */
  readonly seconds: readonly number[];
  readonly median: number;
}

/**
 * Runs all subjects in turn, round by round, so that whatever else the machine does meets all of them alike. The round
 * before the first one fills caches and is not counted.
 */
export async function measure<Name extends string>(
  subjects: Readonly<Record<Name, () => Promise<unknown>>>,
  rounds: number,
): Promise<Readonly<Record<Name, Figures>>> {
  const names = Object.keys(subjects) as Name[];
  const seconds = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const start = performance.now();
      await subjects[name]();
      if (round > 0) seconds.get(name)?.push((performance.now() - start) / 1000);
    }
  }
  const figures = [...seconds].map(([name, list]) => [name, { seconds: list, median: median(list) }] as const);
  return Object.fromEntries<Figures>(figures) as Record<string, Figures> as Record<Name, Figures>;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}

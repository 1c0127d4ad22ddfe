import { CLIENTS, type Figures } from './measure.ts';

/** Points by which a share may differ from its weight. */
const BAR = 3;

export interface Report {
  readonly figures: readonly Figures[];
  /** Of each number in a table. */
  readonly requests: number;
  readonly machine: string;
}

/** The page with the figures, as it is committed. */
export function page({ figures, requests, machine }: Report): string {
  const [equal, slower] = [figures.filter(isEqual), figures.filter((each) => !isEqual(each))];
  const asked = figures.reduce((sum, each) => sum + each.asked, 0);
  const failed = figures.reduce((sum, each) => sum + each.failures.length, 0);
  return `# What a canary gets

<!-- Written by \`make bench-canary\`. Do not edit. -->

Two applications share an alias behind the gateway Onwards, which has the table that the operator renders. In place of their
engines are servers that take ${equal[0]?.milliseconds[0] ?? ''} ms for every request. Clients ask one request after the other; each number is the canary's
part of ${requests} requests in percent. ${machine}.

| what | measured | bar |
| --- | ---: | ---: |
| the farthest that a share is from its weight, engines equally fast | ${farthest(equal).toFixed(1)} points | ${BAR} points |
| failed requests of ${asked}, while the table is loaded again as well | ${failed} | 0 |

Chance alone puts one in twenty shares of half of ${requests} requests more than ${(196 * Math.sqrt(0.25 / requests)).toFixed(1)} points away.

## With engines equally fast

${table(equal, ({ shares }) => shares)}

## After the table was loaded again ten times under load

${table(equal, ({ sharesAfterReloads }) => sharesAfterReloads)}

## With a canary that takes ${slower[0]?.milliseconds[1] ?? ''} ms

A slower canary gets less, the more clients there are: a request goes where the fewest are being answered.

${table(slower, ({ shares }) => shares)}
`;
}

/** Whether every share is near its weight, and nothing failed. */
export function isWithin(figures: readonly Figures[]): boolean {
  return farthest(figures.filter(isEqual)) <= BAR && figures.every(({ failures }) => failures.length === 0);
}

function isEqual({ milliseconds: [main, canary] }: Figures): boolean {
  return main === canary;
}

/** In points. */
function farthest(figures: readonly Figures[]): number {
  return Math.max(
    ...figures.flatMap((each) =>
      [...each.shares, ...each.sharesAfterReloads].map((share) => Math.abs(share - wanted(each)) * 100),
    ),
  );
}

function wanted({ weights: [main, canary] }: Figures): number {
  return canary / (main + canary);
}

function table(figures: readonly Figures[], sharesOf: (figures: Figures) => readonly number[]): string {
  const percent = (share: number): string => (share * 100).toFixed(1);
  const rows = figures.map((each) => [each.weights.join('/'), percent(wanted(each)), ...sharesOf(each).map(percent)]);
  const titles = ['weights', 'wanted', ...CLIENTS.map((clients) => `${clients} client${clients === 1 ? '' : 's'}`)];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(titles), line(['---', ...titles.slice(1).map(() => '---:')]), ...rows.map(line)].join('\n');
}

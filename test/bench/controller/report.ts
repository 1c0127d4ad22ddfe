import type { OperatorFigures } from './measure-operator.ts';

export interface Row extends OperatorFigures {
  readonly stacks: number;
  readonly objectsPerStack: number;
  readonly bareSeconds: number;
  /** Seconds of a client that also writes statuses and hears of changes. */
  readonly reportingSeconds: number;
  /** Seconds that the helm-operator took, where it was measured. */
  readonly helmSeconds?: number | undefined;
}

const COLUMNS: readonly (readonly [string, (row: Row) => string])[] = [
  ['stacks', ({ stacks }) => String(stacks)],
  ['objects', ({ stacks, objectsPerStack }) => String(stacks * objectsPerStack)],
  ['operator (s)', ({ seconds }) => seconds.toFixed(1)],
  ['bare client (s)', ({ bareSeconds }) => bareSeconds.toFixed(1)],
  ['ratio', (row) => ratio(row).toFixed(2)],
  ['reporting client (s)', ({ reportingSeconds }) => reportingSeconds.toFixed(1)],
  ['ratio of it', ({ reportingSeconds, bareSeconds }) => (reportingSeconds / bareSeconds).toFixed(2)],
  ['helm-operator (s)', ({ helmSeconds }) => helmSeconds?.toFixed(1) ?? ''],
  ['quiet after (s)', ({ quietSeconds }) => quietSeconds.toFixed(1)],
  ['reconciles/stack', ({ reconcilesPerStack }) => reconcilesPerStack.toFixed(2)],
  ['requests/stack', ({ requestsPerStack }) => requestsPerStack.toFixed(1)],
  ['CPU (s)', ({ cpuSeconds }) => cpuSeconds.toFixed(1)],
  ['peak memory (MB)', ({ peakMegabytes }) => peakMegabytes.toFixed(0)],
  ['p50 (ms)', ({ p50Ms }) => p50Ms.toFixed(0)],
  ['p99 (ms)', ({ p99Ms }) => p99Ms.toFixed(0)],
  ['steady requests', ({ steadyRequests }) => String(steadyRequests)],
];

export function table(rows: readonly Row[]): string {
  return markdown(
    COLUMNS.map(([title]) => title),
    rows.map((row) => COLUMNS.map(([, cell]) => cell(row))),
  );
}

interface Bar {
  readonly wanted: string;
  readonly at: number;
  readonly measure: (row: Row, rows: readonly Row[]) => number | undefined;
  readonly holds: (value: number) => boolean;
}

/** What the operator is to reach, each at one number of stacks. */
const BARS: readonly Bar[] = [
  { wanted: 'at most 1.3 times the bare client', at: 1000, measure: ratio, holds: (value) => value <= 1.3 },
  {
    wanted: 'at least 10 times as fast as the helm-operator',
    at: 100,
    measure: ({ helmSeconds, seconds }) => (helmSeconds === undefined ? undefined : helmSeconds / seconds),
    holds: (value) => value >= 10,
  },
  { wanted: 'p99 below 300 ms', at: 1000, measure: ({ p99Ms }) => p99Ms, holds: (value) => value < 300 },
  { wanted: 'memory below 200 MB', at: 3000, measure: ({ peakMegabytes }) => peakMegabytes, holds: (mb) => mb < 200 },
  {
    wanted: 'cost grows linearly: seconds per stack at most 1.3 times those at 1000',
    at: 3000,
    measure: (row, rows) => {
      const base = rows.find(({ stacks }) => stacks === 1000);
      return base && row.seconds / row.stacks / (base.seconds / base.stacks);
    },
    holds: (value) => value <= 1.3,
  },
  { wanted: 'no requests when nothing changes', at: 3000, measure: (row) => row.steadyRequests, holds: (n) => n === 0 },
];

/** Each bar with what was measured; those that were not measured say so. */
export function bars(rows: readonly Row[]): string {
  const lines = BARS.map(({ wanted, at, measure, holds }) => {
    const row = rows.find(({ stacks }) => stacks === at);
    const value = row && measure(row, rows);
    if (value === undefined) return [wanted, String(at), 'not measured', ''];
    return [wanted, String(at), String(Math.round(value * 100) / 100), holds(value) ? 'yes' : 'no'];
  });
  return markdown(['bar', 'stacks', 'measured', 'reached'], lines);
}

function ratio({ seconds, bareSeconds }: Row): number {
  return seconds / bareSeconds;
}

/** Columns are as wide as their widest cell, as the formatter of this repository wants them. */
function markdown(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, index) => Math.max(3, title.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

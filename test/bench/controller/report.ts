import type { OperatorFigures } from './measure-operator.ts';

export interface Row extends OperatorFigures {
  readonly stacks: number;
  readonly objectsPerStack: number;
  readonly bareSeconds: number;
  /** Seconds that the helm-operator took, where it was measured. */
  readonly helmSeconds?: number;
}

const HEADER = [
  'stacks',
  'objects',
  'operator (s)',
  'bare client (s)',
  'ratio',
  'helm-operator (s)',
  'requests/stack',
  'CPU (s)',
  'peak memory (MB)',
  'p50 (ms)',
  'p99 (ms)',
  'steady requests',
];

export function table(rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(HEADER),
    line(HEADER.map(() => '---:')),
    ...rows.map((row) =>
      line([
        String(row.stacks),
        String(row.stacks * row.objectsPerStack),
        row.seconds.toFixed(1),
        row.bareSeconds.toFixed(1),
        (row.seconds / row.bareSeconds).toFixed(2),
        row.helmSeconds?.toFixed(1) ?? 'not measured',
        row.requestsPerStack.toFixed(1),
        row.cpuSeconds.toFixed(1),
        row.peakMegabytes.toFixed(0),
        row.p50Ms.toFixed(0),
        row.p99Ms.toFixed(0),
        String(row.steadyRequests),
      ]),
    ),
  ].join('\n');
}

const WIDTH = 640;
const HEIGHT = 320;
const MARGIN = 56;

/** Seconds over stacks for the operator and the bare client. */
export function plot(rows: readonly Row[]): string {
  const most = {
    x: Math.max(...rows.map(({ stacks }) => stacks)),
    y: Math.max(...rows.flatMap(({ seconds, bareSeconds }) => [seconds, bareSeconds])),
  };
  const x = (stacks: number): number => MARGIN + (stacks / most.x) * (WIDTH - 2 * MARGIN);
  const y = (seconds: number): number => HEIGHT - MARGIN - (seconds / most.y) * (HEIGHT - 2 * MARGIN);
  const curve = (of: (row: Row) => number, color: string, label: string): string => {
    const points = [{ px: x(0), py: y(0) }, ...rows.map((row) => ({ px: x(row.stacks), py: y(of(row)) }))];
    const path = points.map(({ px, py }) => `${px.toFixed(0)},${py.toFixed(0)}`).join(' ');
    const { px, py } = points.at(-1) ?? { px: 0, py: 0 };
    return (
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>` +
      `<text x="${(px - 4).toFixed(0)}" y="${(py - 6).toFixed(0)}" fill="${color}" text-anchor="end">${label}</text>`
    );
  };
  const ticks = rows.map(
    ({ stacks }) =>
      `<text x="${x(stacks).toFixed(0)}" y="${HEIGHT - MARGIN + 18}" text-anchor="middle">${stacks}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    `<path d="M${MARGIN} ${MARGIN}V${HEIGHT - MARGIN}H${WIDTH - MARGIN}" fill="none" stroke="black"/>`,
    `<text x="${MARGIN - 6}" y="${y(most.y).toFixed(0)}" text-anchor="end">${most.y.toFixed(0)} s</text>`,
    ...ticks,
    curve(({ seconds }) => seconds, '#c0392b', 'operator'),
    curve(({ bareSeconds }) => bareSeconds, '#2471a3', 'bare client'),
    '</svg>',
    '',
  ].join('\n');
}

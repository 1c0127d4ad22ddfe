import type { Row } from './report.ts';

const WIDTH = 340;
const HEIGHT = 260;
const MARGIN = { left: 52, right: 16, top: 32, bottom: 36 };

interface Curve {
  readonly label: string;
  readonly color: string;
  readonly value: (row: Row) => number;
}

interface Panel {
  readonly title: string;
  readonly curves: readonly Curve[];
}

const PANELS: readonly Panel[] = [
  {
    title: 'seconds until everything is applied',
    curves: [
      { label: 'operator', color: '#c0392b', value: ({ seconds }) => seconds },
      { label: 'reporting client', color: '#7d8a2e', value: ({ reportingSeconds }) => reportingSeconds },
      { label: 'bare client', color: '#2471a3', value: ({ bareSeconds }) => bareSeconds },
    ],
  },
  {
    title: 'peak memory (MB)',
    curves: [{ label: 'operator', color: '#c0392b', value: ({ peakMegabytes }) => peakMegabytes }],
  },
  {
    title: 'milliseconds from a change to its Deployment',
    curves: [
      { label: 'p99', color: '#c0392b', value: ({ p99Ms }) => p99Ms },
      { label: 'p50', color: '#2471a3', value: ({ p50Ms }) => p50Ms },
    ],
  },
];

/** An SVG with one panel for each thing that was measured over the number of stacks. */
export function plot(rows: readonly Row[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${PANELS.length * WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${PANELS.length * WIDTH}" height="${HEIGHT}" fill="white"/>`,
    ...PANELS.map((panel, index) => `<g transform="translate(${index * WIDTH} 0)">\n${drawPanel(panel, rows)}\n</g>`),
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel({ title, curves }: Panel, rows: readonly Row[]): string {
  const most = {
    x: Math.max(...rows.map(({ stacks }) => stacks)),
    y: Math.max(...rows.flatMap((row) => curves.map(({ value }) => value(row)))),
  };
  const x = (stacks: number): string =>
    (MARGIN.left + (stacks / most.x) * (WIDTH - MARGIN.left - MARGIN.right)).toFixed(0);
  const y = (value: number): string =>
    (HEIGHT - MARGIN.bottom - (value / most.y) * (HEIGHT - MARGIN.top - MARGIN.bottom)).toFixed(0);
  const label = (left: string, top: string | number, anchor: string, text: string, color = 'black'): string =>
    `<text x="${left}" y="${top}" text-anchor="${anchor}" fill="${color}">${text}</text>`;
  const axisY = MARGIN.left - 6;
  return [
    label(String(MARGIN.left), 18, 'start', title),
    `<path d="M${MARGIN.left} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}H${WIDTH - MARGIN.right}" fill="none" stroke="black"/>`,
    ...[0.5, 1].map((share) => label(String(axisY), y(most.y * share), 'end', (most.y * share).toFixed(0))),
    ...rows.map(({ stacks }) => label(x(stacks), HEIGHT - MARGIN.bottom + 18, 'middle', String(stacks))),
    ...curves.flatMap(({ label: name, color, value }, index) => {
      const points = rows.map((row) => `${x(row.stacks)},${y(value(row))}`).join(' ');
      return [
        `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="2"/>`,
        ...rows.map((row) => `<circle cx="${x(row.stacks)}" cy="${y(value(row))}" r="3" fill="${color}"/>`),
        label(String(MARGIN.left + 10), MARGIN.top + 14 * (index + 1), 'start', name, color),
      ];
    }),
  ].join('\n');
}

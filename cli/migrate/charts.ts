import { INFERENCE_STACK } from '../../packages/api/constants.ts';
import type { OpenObject } from '../../packages/lib/json.ts';
import { type Problem, ProblemsError } from '../../packages/lib/problem.ts';

/** The versions of the public chart inference-stack whose values can be converted. */
export const CHARTS = ['1.8.2', '0.4.4'] as const;
export type Chart = (typeof CHARTS)[number];

/** Keys that only values of a chart's version have. */
const KEYS: Readonly<Record<Chart, readonly string[]>> = {
  '1.8.2': ['gateway', 'applications', 'applicationTemplate'],
  '0.4.4': ['modelGroups', 'onwards'],
};

/** Which version of the chart values are for, by their keys. */
export function recognise(values: OpenObject, object: string): Chart {
  const found = CHARTS.filter((chart) => KEYS[chart].some((key) => Object.hasOwn(values, key)));
  const [chart] = found;
  if (chart !== undefined && found.length === 1) return chart;
  throw new ProblemsError([{ object, path: '', ...(chart === undefined ? strange(values) : mixed(values)) }]);
}

type Strange = Pick<Problem, 'message' | 'remedy'>;

function mixed(values: OpenObject): Strange {
  const keys = CHARTS.flatMap((chart) => KEYS[chart]).filter((key) => Object.hasOwn(values, key));
  return {
    message: `has keys of two charts: ${keys.join(', ')}`,
    remedy: `Say which one it is for, with --chart ${CHARTS.join(' or ')}.`,
  };
}

function strange({ kind }: OpenObject): Strange {
  if (kind === INFERENCE_STACK.kind) {
    return { message: `is an ${INFERENCE_STACK.kind} already`, remedy: 'See what it becomes with fleet explain -f.' };
  }
  const keys = CHARTS.map((chart) => `${KEYS[chart].join(', ')} for ${chart}`).join('; ');
  return {
    message: `holds no values of the chart inference-stack: it has none of the keys ${keys}`,
    remedy: 'Give what helm get values <release> -o yaml prints.',
  };
}

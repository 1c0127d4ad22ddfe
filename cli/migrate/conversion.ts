import type { InferenceStackSpec } from '../../packages/api/types.ts';
import type { Problem } from '../../packages/lib/problem.ts';

/** Values of a chart as a spec, and what they say that a spec cannot. */
export interface Conversion {
  readonly spec: InferenceStackSpec;
  readonly notices: readonly Problem[];
}

import { objectAt } from '../../packages/lib/json.ts';
import type { Conversion } from './conversion.ts';

/** The values of chart 1.8.2 are a spec as they are. */
export function convertChart182(values: unknown): Conversion {
  return { spec: objectAt(values), notices: [] };
}

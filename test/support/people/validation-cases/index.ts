import { ACCEPTED } from './accepted.ts';
import { SCHEMA_BOUNDS } from './bounds.ts';
import { ENGINES } from './engines.ts';
import { NAMES_AND_SCALE } from './names-and-scale.ts';
import { NETWORK_AND_VALUES } from './network-and-values.ts';
import { PLACEMENT } from './placement.ts';
import type { ValidationCase } from './validation-case.ts';

/** The cases that both the API server and `validate` have to judge. */
export const VALIDATION_CASES: readonly ValidationCase[] = [
  ...ACCEPTED,
  ...NAMES_AND_SCALE,
  ...NETWORK_AND_VALUES,
  ...PLACEMENT,
  ...ENGINES,
  ...SCHEMA_BOUNDS,
];

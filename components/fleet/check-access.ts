import type { Problem } from '../../packages/lib/problem.ts';
import type { InstallsAs } from '../olm/versions.ts';
import { summarizedBundles } from './bundle-objects.ts';
import { duplicateMajors } from './one-per-major.ts';
import type { PlannedOperator } from './plan.ts';

/** Why these operators cannot be given what OLM installs them with. */
export function accessProblems(operators: readonly PlannedOperator[], installsAs: InstallsAs): readonly Problem[] {
  return [
    ...duplicateMajors(operators.map(({ operator }) => operator)),
    ...(installsAs === 'account' ? summarizedBundles(operators.flatMap(({ bundles }) => bundles)) : []),
  ];
}

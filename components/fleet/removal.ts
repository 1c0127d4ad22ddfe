import { parseOperatorRequest } from '../../packages/api/operator-version.ts';
import type { Problem } from '../../packages/lib/problem.ts';

/** A stack in the cluster and the operator that it asks for. */
export interface LabelledStack {
  readonly namespace: string;
  readonly name: string;
  readonly operatorVersion?: string | undefined;
}

/** How many stacks a message names before it counts the rest. */
const SHOWN = 5;

/**
 * Refuses to remove an operator that InferenceStacks still name: nothing would reconcile them any more. `installed` are
 * those that this program made; it removes no others.
 */
export function checkRemoval(
  wanted: readonly number[],
  installed: readonly number[],
  stacks: readonly LabelledStack[],
  accepted: readonly number[],
): readonly Problem[] {
  const removed = installed.filter((major) => !wanted.includes(major) && !accepted.includes(major));
  return removed.flatMap((major) => {
    const names = stacks
      .filter(({ operatorVersion }) => parseOperatorRequest(operatorVersion ?? '')?.major === major)
      .map(({ namespace, name }) => `${namespace}/${name}`)
      .sort();
    if (names.length === 0) return [];
    const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
    return [
      {
        path: 'operators',
        message: `no longer lists major ${major}, but ${names.length === 1 ? 'a stack names' : 'stacks name'} it: ${names.slice(0, SHOWN).join(', ')}${more}`,
        remedy: `Relabel or delete them first, or accept it with \`removeMajors: [${major}]\`.`,
      },
    ];
  });
}

import { OPERATOR_VERSION_LABEL } from '../../packages/api/constants.ts';
import { requestProblem } from '../../packages/api/operator-version.ts';
import type { InferenceStack } from '../../packages/api/types.ts';
import { validate } from '../../packages/api/validate.ts';
import { isWithin, type Problem } from '../../packages/lib/problem.ts';
import { offlineContext } from '../../packages/render/offline-context.ts';
import { render } from '../../packages/render/render.ts';
import { guesses } from './guesses.ts';
import type { KnownValues } from './known-values.ts';
import { withoutSecrets } from './secrets.ts';

export interface Checked {
  /** Why the stack cannot be served, all of it. */
  readonly problems: readonly Problem[];
  /** What works, but perhaps not as its author thinks. */
  readonly notices: readonly Problem[];
  /** The stack; while some values are unknown, several that it may be, or none. */
  readonly possible: readonly InferenceStack[];
}

/** Checks a stack as `fleet explain` does. Says nothing about what depends on an unknown value. */
export function check(known: KnownValues, object: string): Checked {
  const looks = guesses(known.value).map(look);
  const isTold = ({ path }: Problem): boolean => !known.unknown.some((unknown) => isWithin(path, unknown));
  const shown = (found: readonly (readonly Problem[])[]): readonly Problem[] =>
    common(found)
      .filter(isTold)
      .map((problem) => withoutSecrets({ ...problem, object }, known));
  const stacks = looks.flatMap(({ stack }) => stack ?? []);
  return {
    problems: shown(looks.map(({ problems }) => problems)),
    notices: shown(looks.flatMap(({ notices }) => (notices === undefined ? [] : [notices]))),
    possible: stacks.length === looks.length ? stacks : [],
  };
}

interface Look {
  readonly problems: readonly Problem[];
  readonly notices?: readonly Problem[];
  readonly stack?: InferenceStack;
}

function look(object: unknown): Look {
  const result = validate(object);
  if (!result.valid) return { problems: result.problems };
  const { stack } = result;
  const unserved = requestProblem(stack.metadata.labels?.[OPERATOR_VERSION_LABEL]);
  const { notices } = render(stack, offlineContext(stack));
  return { problems: unserved === undefined ? [] : [unserved], notices, stack };
}

/** Problems that are in all lists, as the first list has them. */
function common([first = [], ...others]: readonly (readonly Problem[])[]): readonly Problem[] {
  const isSame = (one: Problem, other: Problem): boolean => one.path === other.path && one.message === other.message;
  return first.filter((problem) => others.every((list) => list.some((other) => isSame(problem, other))));
}

import type { Problem } from '../../packages/lib/problem.ts';

/**
 * What a difference between two versions means for those who use the earlier one: something that they rely on is taken away,
 * something is offered that was not, or something differs that nobody relies on.
 */
export type Effect = 'breaking' | 'addition' | 'change';

/** What two versions are compared by. */
export type Area = 'api' | 'stacks' | 'rights' | 'metrics';

/** One difference between a released version and the next one. */
export interface Finding {
  readonly area: Area;
  readonly effect: Effect;
  /** What differs, e.g. `Deployment chat-inference-stack-gateway of kubernetes/vllm`. */
  readonly object: string;
  readonly path: string;
  /** How it differs, without object and path: `is gone`. */
  readonly message: string;
}

/** How much a version number grows. A pre-release grows as the version that it precedes. */
export type Bump = 'major' | 'minor' | 'patch';

const REMEDIES: Readonly<Record<Area, string>> = {
  api: 'Keep what exists and add to it, or release a new major version.',
  stacks:
    'Put what is new into a new revision of its table, which running stacks do not take, or release a new major version.',
  rights:
    'Leave the right out, or release a new major version: accounts that install the operator were granted no more.',
  metrics: 'Keep the metric beside the new one, or release a new major version: alerts and dashboards read it.',
};

/** Why a version may not be released under a number that grows by so little. */
export function bumpProblems(findings: readonly Finding[], bump: Bump, version: string, previous: string): Problem[] {
  return findings.flatMap(({ effect, area, object, path, message }) => {
    if (effect === 'breaking' && bump !== 'major') {
      const why = `${message}, which breaks what ${previous} promises, and ${version} is the same major version`;
      return [{ object, path, message: why, remedy: REMEDIES[area] }];
    }
    if (effect === 'addition' && bump === 'patch') {
      const why = `${message}, and ${version} is a patch of ${previous}, which adds nothing`;
      return [{ object, path, message: why, remedy: 'Release a new minor version instead.' }];
    }
    return [];
  });
}

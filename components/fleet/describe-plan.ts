import type { OperatorPlan, PlannedOperator } from './plan.ts';

/** One line for one operator: `v1: 1.2.0 -> 1.3.1 (stable-v1, replaces, skips 1.3.0)`. */
export function describePlan({ operator, plan }: Pick<PlannedOperator, 'operator' | 'plan'>): string {
  const notes = [
    plan.channel,
    EDGES[plan.edge],
    ...(plan.skipped.length === 0 ? [] : [`skips ${plan.skipped.join(', ')}`]),
    ...plan.deprecations.map((message) => `deprecated: ${message}`),
  ];
  const versions = plan.from === undefined || plan.from === plan.to ? plan.to : `${plan.from} -> ${plan.to}`;
  return `v${operator.major}: ${versions} (${notes.join(', ')})`;
}

const EDGES: Readonly<Record<OperatorPlan['edge'], string>> = {
  install: 'new',
  current: 'installed',
  replaces: 'replaces it',
  skips: 'replaces it by skips',
  skipRange: 'replaces it by skipRange',
  'self-certified': 'rollback, outside the upgrade graph',
};

import { decisiveGap } from '../../components/impact/upgrade/describe-impact.ts';
import type { Settings } from '../config/schema.ts';
import type { OperatorImpact } from './fleet-impact.ts';

/** An upgrade as policies see it: numbers and names, and nothing of what a stack says. */
export function plannedUpgrade(
  { major, from, to, impact, unknown }: OperatorImpact,
  operators: Settings['operators'],
): object {
  const refused = impact?.affected.flatMap(({ kind, stack }) => (kind === 'refused' ? [stack] : [])) ?? [];
  const accepted = operators.some((operator) => operator.major === major && operator.acceptImpact === to);
  const gap = unknown ?? (impact === undefined ? undefined : decisiveGap(impact));
  return {
    major,
    from,
    to,
    pods: impact?.pods ?? 0,
    refused,
    accepted,
    ...(gap === undefined ? {} : { unknown: gap }),
  };
}

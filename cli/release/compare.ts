import { compareApi } from './compare-api.ts';
import { compareMetrics } from './compare-metrics.ts';
import { compareRights } from './compare-rights.ts';
import { compareStacks } from './compare-stacks.ts';
import type { Effect, Finding } from './finding.ts';
import type { RenderedStack, Surface } from './surface.ts';

/** The next version: its surface, and what it makes of the stacks that the version before was asked about. */
export interface Candidate extends Pick<Surface, 'definitions' | 'rights' | 'metrics'> {
  /** Of those stacks, as they are after the version before has served them. */
  readonly running: readonly RenderedStack[];
  /** Of the same stacks, as files that are applied for the first time. */
  readonly fresh: readonly RenderedStack[];
}

/** Everything that differs between a released version and the next one, what breaks first. */
export function compare(before: Surface, after: Candidate): Finding[] {
  const order: readonly Effect[] = ['breaking', 'addition', 'change'];
  const found = [
    ...compareApi(before.definitions, after.definitions),
    ...compareStacks(before.stacks, after.running, 'running'),
    ...compareStacks(before.stacks, after.fresh, 'new'),
    ...compareRights(before.rights, after.rights),
    ...compareMetrics(before.metrics, after.metrics),
  ];
  return found.toSorted((one, other) => order.indexOf(one.effect) - order.indexOf(other.effect));
}

import { GATEWAY_DRAIN_SECONDS } from '../api/defaults.ts';
import type { Drain } from '../api/types.ts';

/** For what clients reach by a Service. The default drain leaves at least half of a short grace period for stopping. */
export function withDrain<Values extends { drain?: Drain; terminationGracePeriodSeconds: number }>(
  values: Values,
): Values & { drain: Required<Drain> } {
  return { ...values, drain: { seconds: drainSeconds(values) } };
}

export function drainSeconds({
  drain,
  terminationGracePeriodSeconds,
}: {
  readonly drain?: Drain;
  readonly terminationGracePeriodSeconds: number;
}): number {
  return drain?.seconds ?? Math.min(GATEWAY_DRAIN_SECONDS, Math.floor(terminationGracePeriodSeconds / 2));
}

import { isEmpty } from '../../lib/values.ts';
import type { PodStatus } from './pod-problem.ts';
import type { PodSpec } from './requests.ts';

/**
 * Whether a container runs whose startup probe has not passed yet. It has as long as the probe gives it, and until then no other probe is
 * asked: it is neither ready nor in trouble.
 */
export function isLoading(spec: PodSpec | undefined, status: PodStatus | undefined): boolean {
  const probed = new Set(
    (spec?.containers ?? []).flatMap(({ name, startupProbe }) => (isEmpty(startupProbe) ? [] : name)),
  );
  return (status?.containerStatuses ?? []).some(
    ({ name, started, state }) => probed.has(name) && started === false && state?.running !== undefined,
  );
}

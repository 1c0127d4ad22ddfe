import { parseQuantity } from '../kube/quantity.ts';
import { objectAt, type OpenObject } from '../lib/json.ts';
import type { ResourceFacts } from './engines/table.ts';

/** A user's resources over the engine's. A default never contradicts what the user says: no request is above its limit. */
export function withDefaultResources(given: OpenObject | undefined, defaults: ResourceFacts): OpenObject {
  const requests = objectAt(given, 'requests');
  const limits = objectAt(given, 'limits');
  return {
    ...given,
    requests: { ...mapped(defaults.requests, (name, amount) => least(limits[name], amount)), ...requests },
    limits: { ...mapped(defaults.limits, (name, amount) => most(requests[name], amount)), ...limits },
  };
}

/** Whole processors that a container may use, at least one: a thread more than that makes some engines many times slower. */
export function wholeProcessors(resources: OpenObject): number {
  const amount = parseQuantity(objectAt(resources, 'limits')['cpu'] ?? objectAt(resources, 'requests')['cpu']) ?? 1;
  return Math.max(1, Math.floor(amount));
}

/** The memory that a container may take. */
export function memoryMebibytes(resources: OpenObject): number {
  return (parseQuantity(objectAt(resources, 'limits')['memory']) ?? 0) / 2 ** 20;
}

function mapped(
  amounts: Readonly<Record<string, string>>,
  change: (name: string, amount: string) => unknown,
): OpenObject {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, change(name, amount)]));
}

function least(given: unknown, amount: string): unknown {
  return (parseQuantity(given) ?? Infinity) < (parseQuantity(amount) ?? 0) ? given : amount;
}

function most(given: unknown, amount: string): unknown {
  return (parseQuantity(given) ?? 0) > (parseQuantity(amount) ?? 0) ? given : amount;
}

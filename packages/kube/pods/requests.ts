import type { KubernetesObject } from '../object.ts';
import { parseQuantity } from '../quantity.ts';

interface Container {
  name?: string;
  startupProbe?: object;
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
}

/** The part of a pod's spec that is looked at. */
export interface PodSpec {
  nodeName?: string;
  imagePullSecrets?: { name: string }[];
  containers?: Container[];
  initContainers?: (Container & { restartPolicy?: string })[];
}

/**
 * As the scheduler counts: containers run together, init containers one after the other before them. Those that always
 * restart are sidecars: they run beside whatever starts after them.
 */
export function requestsOf(
  { containers = [], initContainers = [] }: PodSpec = {},
  counts: (resource: string) => boolean,
): Record<string, number> {
  const running: Record<string, number> = {};
  const most: Record<string, number> = {};
  for (const container of [...initContainers, ...containers.map((each) => ({ ...each, restartPolicy: 'Always' }))]) {
    for (const [name, amount] of amounts(container, counts)) {
      const held = (running[name] ?? 0) + amount;
      most[name] = Math.max(most[name] ?? 0, held);
      if (container.restartPolicy === 'Always') running[name] = held;
    }
  }
  return most;
}

function amounts({ resources = {} }: Container, counts: (resource: string) => boolean): [string, number][] {
  return Object.entries({ ...resources.limits, ...resources.requests })
    .filter(([name]) => counts(name))
    .map(([name, quantity]) => [name, parseQuantity(quantity) ?? 0]);
}

/** The devices, such as GPUs, that a pod holds on its node; none once it has ended. */
export function heldDevices(pod: KubernetesObject): Record<string, number> {
  const { spec, status } = pod as { spec?: PodSpec; status?: { phase?: string } };
  return hasEnded(status) ? {} : requestsOf(spec, isExtendedResource);
}

export function hasEnded(status: { readonly phase?: string } | undefined): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Names with a domain are devices and the like; cpu and memory have none. */
export function isExtendedResource(name: string): boolean {
  return name.includes('/');
}

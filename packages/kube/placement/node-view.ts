import { isDeepStrictEqual } from 'node:util';
import { parseQuantity } from '../quantity.ts';
import type { KubernetesObject } from '../object.ts';
import type { Versioned } from '../watch/store.ts';
import { isExtendedResource } from '../pods/requests.ts';

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** What is kept of a node: what placement looks at. */
export interface NodeView extends Versioned {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly ready: boolean;
  readonly cordoned: boolean;
  /** Allocatable extended resources. */
  readonly devices: Readonly<Record<string, number>>;
  /** What else it has for pods: cpu, memory. Nothing for what is not known. */
  readonly allocatable?: Readonly<Record<string, number>>;
}

interface Node extends KubernetesObject {
  spec?: { taints?: Taint[]; unschedulable?: boolean };
  status?: { allocatable?: Record<string, string>; conditions?: { type: string; status: string }[] };
}

export function keepNode(object: KubernetesObject): NodeView {
  const { metadata, spec, status } = object as Node;
  const amounts = Object.entries(status?.allocatable ?? {}).map(
    ([name, quantity]) => [name, parseQuantity(quantity) ?? 0] as const,
  );
  return {
    resourceVersion: Number(metadata.resourceVersion),
    name: metadata.name,
    labels: metadata.labels ?? {},
    taints: spec?.taints ?? [],
    ready: status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True',
    cordoned: spec?.unschedulable === true,
    devices: Object.fromEntries(amounts.filter(([name]) => isExtendedResource(name))),
    allocatable: Object.fromEntries(amounts.filter(([name]) => !isExtendedResource(name))),
  };
}

/** Whether nothing has changed that placement looks at: nodes report themselves all the time. */
export function isSamePlace(before: NodeView | undefined, after: NodeView | undefined): boolean {
  return isDeepStrictEqual({ ...before, resourceVersion: 0 }, { ...after, resourceVersion: 0 });
}

import { setTimeout } from 'node:timers/promises';
import { OPERATOR_DEFAULTS } from '../../../packages/api/defaults.ts';
import type { InferenceStack, InferenceStackSpec } from '../../../packages/api/types.ts';
import { render } from '../../../packages/render/render.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import { ownerReferenceTo } from '../../../controller/src/reconcile/stack-view.ts';
import { newStack } from '../../support/operator/stack-api.ts';

export const NAMESPACE = 'bench';

/** As many as the operator works on at a time. */
export const CONCURRENCY = 16;

/** Three applications, each with what a real one has: its own model, variables, resources and probes. */
function benchSpec(): InferenceStackSpec {
  const application = (model: string): object => ({
    readerConfig: { modelName: model, maxBatchSize: 8 },
    env: [{ name: 'LOG_LEVEL', value: 'info' }],
    resources: { limits: { cpu: '4', memory: '16Gi' } },
    readinessProbe: { httpGet: { path: '/healthz', port: 3000 } },
  });
  return {
    gateway: { replicaCount: 2 },
    applications: { chat: application('m/chat'), embed: application('m/embed'), rerank: application('m/rerank') },
  };
}

export function stackName(index: number): string {
  return `stack-${index}`;
}

export function benchStack(index: number): KubernetesObject {
  return newStack(NAMESPACE, stackName(index), benchSpec());
}

/** The objects that the operator makes for the stack, for a client that makes the same without an operator. */
export function renderedObjects(index: number): KubernetesObject[] {
  const stack = benchStack(index) as unknown as InferenceStack;
  stack.metadata.uid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const { objects } = render(stack, {
    capabilities: { keda: false, serviceMonitor: false, assignsUserIds: false },
    defaults: OPERATOR_DEFAULTS,
    operatorDefaults: OPERATOR_DEFAULTS,
    rollouts: {},
  });
  const ownerReferences = [ownerReferenceTo(stack)];
  return objects.map((object) => ({ ...object, metadata: { ...object.metadata, ownerReferences } }));
}

/** Does the work for 0 to count - 1, so many at a time. */
export async function inParallel(
  count: number,
  work: (index: number) => Promise<void>,
  lanes = CONCURRENCY,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** How soon to ask again as long as there is nothing to reckon with, and at most and at least. */
const ASK_MS = { first: 100, most: 1000, least: 10 };

/**
 * Waits until so many objects are there. Whoever asks takes a share of what is measured: so it asks for one object and how many
 * more there are, and the more often the nearer the end is.
 */
export async function untilMade(client: Client, type: ResourceType, count: number): Promise<void> {
  const started = performance.now();
  for (;;) {
    const { items, metadata } = await client.list(type, { namespace: NAMESPACE, limit: 1 });
    const made = items.length + (metadata.remainingItemCount ?? 0);
    if (made >= count) return;
    const left = ((performance.now() - started) / made) * (count - made);
    await setTimeout(made === 0 ? ASK_MS.first : Math.min(ASK_MS.most, Math.max(ASK_MS.least, left / 4)));
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

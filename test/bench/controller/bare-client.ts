import { FIELD_MANAGER } from '../../../packages/api/constants.ts';
import type { InferenceStackStatus } from '../../../packages/api/types.ts';
import { Client } from '../../../packages/kube/client/client.ts';
import type { ResourceType } from '../../../packages/kube/object.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';
import { createNamespace, ownedType, STACKS } from '../../support/operator/stack-api.ts';
import { benchStack, CONCURRENCY, inParallel, NAMESPACE, renderedObjects } from './workload.ts';

/** The limit: seconds that a client takes which only applies the same objects, as many at a time. */
export async function measureBareClient(stacks: number): Promise<number> {
  return withClient(async (client) => {
    const started = performance.now();
    await inParallel(stacks, (index) => applyObjects(client, index));
    return (performance.now() - started) / 1000;
  });
}

/**
 * What no operator can do without: seconds that the same client takes if it also writes a status to each stack, and hears of what
 * changes. It plans nothing, compares nothing and decides nothing.
 */
export async function measureReportingClient(stacks: number, status: InferenceStackStatus): Promise<number> {
  return withClient(async (client) => {
    await inParallel(stacks, async (index) => {
      await client.create(STACKS, benchStack(index));
    });
    const stop = new AbortController();
    const owned = new Map(renderedObjects(0).map(({ kind }) => [kind, ownedType(kind)]));
    const heard = [STACKS, ...owned.values()].map((type) => hear(client, type, stop.signal));
    const started = performance.now();
    await inParallel(stacks, async (index) => {
      const write = { op: 'add', path: '/status', value: status } as const;
      await client.jsonPatch(STACKS, benchStack(index).metadata, [write], 'status');
      await applyObjects(client, index);
    });
    const seconds = (performance.now() - started) / 1000;
    stop.abort();
    await Promise.all(heard);
    return seconds;
  });
}

async function withClient(measure: (client: Client) => Promise<number>): Promise<number> {
  const plane = await startPlane();
  const client = new Client(plane.connection, { maxConnections: CONCURRENCY });
  try {
    await createNamespace(client, NAMESPACE);
    return await measure(client);
  } finally {
    client.close();
    await plane.stop();
  }
}

async function applyObjects(client: Client, index: number): Promise<void> {
  for (const object of renderedObjects(index)) {
    await client.apply(ownedType(object.kind), object, { fieldManager: FIELD_MANAGER });
  }
}

/** Reads what changes until the signal is aborted, and keeps nothing of it. */
async function hear(client: Client, type: ResourceType, signal: AbortSignal): Promise<void> {
  try {
    const events = client.watch(type, { signal });
    while ((await events.next()).done !== true) continue;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

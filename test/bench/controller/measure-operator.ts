import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CONFIG_HASH_ANNOTATION } from '../../../packages/api/constants.ts';
import type { InferenceStackStatus } from '../../../packages/api/types.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import { Reflector } from '../../../packages/kube/watch/reflector.ts';
import { OperatorProcess } from '../../support/operator/operator-process.ts';
import { createNamespace, getStack, ownedType, STACKS } from '../../support/operator/stack-api.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';
import { processUsage } from './process-usage.ts';
import {
  benchStack,
  CONCURRENCY,
  inParallel,
  NAMESPACE,
  percentile,
  renderedObjects,
  stackName,
  untilMade,
} from './workload.ts';

export interface OperatorFigures {
  /** Until the last object of the last stack was there. */
  readonly seconds: number;
  /** Until nothing more was asked or written. */
  readonly quietSeconds: number;
  /** Until then. */
  readonly reconcilesPerStack: number;
  readonly requestsPerStack: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** In ten seconds in which nothing changes, other than for the Lease and for optional kinds that are missing. */
  readonly steadyRequests: number;
  /** As the operator wrote it to one of the stacks. */
  readonly status: InferenceStackStatus;
}

const CHANGES = 200;
const STEADY_MS = 10_000;
/** An operator that has asked for nothing for so long is done. */
const QUIET_MS = 2_000;

/** Runs the operator on so many stacks that exist when it starts, and then changes some of them one by one. */
export async function measureOperator(stacks: number): Promise<OperatorFigures> {
  const plane = await startPlane();
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const stop = new AbortController();
  let operator: OperatorProcess | undefined;
  try {
    await createNamespace(plane.client, NAMESPACE);
    await inParallel(stacks, async (index) => {
      await plane.client.create(STACKS, benchStack(index));
    });
    const last = lastObjects(stacks);
    const started = performance.now();
    operator = await OperatorProcess.start({
      kubeconfig: await plane.kubeconfig(),
      directory,
      workers: CONCURRENCY,
      bundled: true,
    });
    await untilMade(plane.client, last.type, last.count);
    const seconds = (performance.now() - started) / 1000;
    const quietSeconds = ((await quietSince(operator)) - started) / 1000;
    const { status = {} } = await getStack(plane.client, NAMESPACE, stackName(0));
    const requests = await operator.sum('rest_client_requests_total');
    const reconciles = await operator.sum('controller_runtime_reconcile_total');
    const steadyRequests = await steady(operator);
    const latencies = await changeLatencies(plane.client, stacks, stop.signal);
    const { cpuSeconds, peakMegabytes } = processUsage(operator.pid);
    return {
      seconds,
      quietSeconds,
      reconcilesPerStack: reconciles / stacks,
      requestsPerStack: requests / stacks,
      cpuSeconds,
      peakMegabytes,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
      steadyRequests,
      status,
    };
  } finally {
    stop.abort();
    await operator?.stop();
    await plane.stop();
    await rm(directory, { recursive: true });
  }
}

/** The kind of which the operator makes a stack's last object, and how many of it all stacks have. */
function lastObjects(stacks: number): { type: ResourceType; count: number } {
  const objects = renderedObjects(0);
  const kind = objects.at(-1)?.kind ?? '';
  return { type: ownedType(kind), count: stacks * objects.filter((object) => object.kind === kind).length };
}

interface Seen {
  readonly resourceVersion: number;
  readonly value: string;
}

/** Keeps one word for each object of a resource. */
function follow(
  client: Client,
  type: ResourceType,
  signal: AbortSignal,
  word: (object: KubernetesObject) => string,
  onWord?: (key: string, value: string) => void,
): Reflector<Seen> {
  const reflector = new Reflector<Seen>({
    client,
    type,
    keep: (object) => ({ resourceVersion: Number(object.metadata.resourceVersion), value: word(object) }),
    onChange: ({ key, after }) => {
      if (after !== undefined) onWord?.(key, after.value);
    },
  });
  void reflector.run(signal);
  return reflector;
}

/** Requests, without those of the Lease (PUT) and of the looks for KEDA and the Prometheus operator (404). */
async function requestsOf(operator: OperatorProcess): Promise<number> {
  return operator.sum('rest_client_requests_total', (labels) => !/method="PUT"|code="404"/.test(labels));
}

/** The moment since which the operator has asked for nothing. */
async function quietSince(operator: OperatorProcess): Promise<number> {
  let since = performance.now();
  let count = await requestsOf(operator);
  while (performance.now() - since < QUIET_MS) {
    await setTimeout(100);
    const now = await requestsOf(operator);
    if (now !== count) since = performance.now();
    count = now;
  }
  return since;
}

async function steady(operator: OperatorProcess): Promise<number> {
  const before = await requestsOf(operator);
  await setTimeout(STEADY_MS);
  return (await requestsOf(operator)) - before;
}

/** Milliseconds from the change of a spec to the moment at which a watcher sees its Deployment. */
async function changeLatencies(client: Client, stacks: number, signal: AbortSignal): Promise<number[]> {
  const waiting = new Map<string, { before: string; seen: (at: number) => void }>();
  const deployments = follow(client, ownedType('Deployment'), signal, configHash, (key, value) => {
    const waiter = waiting.get(key);
    if (waiter !== undefined && waiter.before !== value) waiter.seen(performance.now());
  });
  await deployments.whenSynced;
  const latencies: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const name = stackName((change * 7) % stacks);
    const key = `${NAMESPACE}/${name}-inference-stack-chat`;
    const seen = new Promise<number>((resolve) => {
      waiting.set(key, { before: deployments.store.get(key)?.value ?? '', seen: resolve });
    });
    const spec = { applications: { chat: { readerConfig: { maxBatchSize: 100 + change } } } };
    const started = performance.now();
    await client.mergePatch(STACKS, { namespace: NAMESPACE, name }, { spec });
    latencies.push((await seen) - started);
    waiting.delete(key);
  }
  return latencies;
}

function configHash(object: KubernetesObject): string {
  const { template } = object['spec'] as { template: { metadata: { annotations?: Record<string, string> } } };
  return template.metadata.annotations?.[CONFIG_HASH_ANNOTATION] ?? '';
}

/** Changes a stack, at the same time makes as many small writes itself as the operator needs for a change, and so on until it is told to end. */
import { setTimeout } from 'node:timers/promises';
import { Client } from '../../../../packages/kube/client/client.ts';
import { loadConnection } from '../../../../packages/kube/connect/kubeconfig.ts';
import { newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import type { InnocentFigures } from './innocent.ts';
import { Reports } from './reports.ts';

const NAMESPACE = 'team-a';
const STACK = { namespace: NAMESPACE, name: 'innocent' };
const KEY = `${STACK.namespace}/${STACK.name}`;
const CONTROL = { namespace: NAMESPACE, name: 'control' };
const CONFIG_MAPS = ownedType('ConfigMap');
/** The stack itself, its ConfigMap, its Deployment and its status. */
const WRITES = 4;

const client = new Client(await loadConnection({ kubeconfig: process.argv[2] }));
const stop = new AbortController();
const reports = new Reports(client, stop.signal, `metadata.namespace=${NAMESPACE}`);
await client.create(STACKS, newStack(STACK.namespace, STACK.name, { applications: { llm: {} } }));
await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: CONTROL });
await reports.until(KEY, 1);

let changes = 0;
let told = false;
const longest = { innocentMs: 0, controlMs: 0, beyondMs: 0 };

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Notes how long both took, and how much longer the change took than writes at the same time. */
function note(innocentMs: number, controlMs: number): void {
  longest.innocentMs = Math.max(longest.innocentMs, innocentMs);
  longest.controlMs = Math.max(longest.controlMs, controlMs);
  longest.beyondMs = Math.max(longest.beyondMs, innocentMs - controlMs);
}

const isTold = (): boolean => told;

async function change(): Promise<void> {
  const spec = { applications: { llm: { readerConfig: { maxBatchSize: changes } } } };
  const { metadata } = await client.mergePatch(STACKS, STACK, { spec });
  await reports.until(KEY, metadata.generation ?? 0);
}

async function control(): Promise<void> {
  for (let write = 0; write < WRITES; write += 1) {
    await client.mergePatch(CONFIG_MAPS, CONTROL, { data: { changes: `${String(changes)}.${String(write)}` } });
  }
}

process.on('message', () => (told = true));
process.send?.('ready');
while (!isTold()) {
  changes += 1;
  const [innocentMs, controlMs] = await Promise.all([timed(change), timed(control)]);
  note(innocentMs, controlMs);
  await setTimeout(100);
}
stop.abort();
client.close();
process.send?.({ ...longest, changes } satisfies InnocentFigures);
process.disconnect();

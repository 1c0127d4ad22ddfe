import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { InferenceStack } from '../../../controller/src/api/types.ts';
import { ApiError } from '../../../controller/src/runtime/api-error.ts';
import type { Client } from '../../../controller/src/runtime/client.ts';
import type { KubernetesObject } from '../../../controller/src/runtime/object.ts';
import { Reflector } from '../../../controller/src/runtime/reflector.ts';
import { createGpuNode } from '../../support/cluster-objects.ts';
import { OperatorProcess } from '../../support/operator-process.ts';
import { createNamespace, newStack, STACKS } from '../../support/stack-api.ts';
import { startPlane } from '../../support/stack-plane.ts';
import { processUsage } from '../controller/process-usage.ts';
import { inParallel } from '../controller/workload.ts';
import { hostileSpec } from './specs.ts';

export interface BatchFigures {
  readonly admitted: number;
  readonly refusedByServer: number;
  /** By the operator, because they are too much. */
  readonly tooLarge: number;
  /** The longest that the operator's event loop was held up: by its own work, and on the clock. */
  readonly blockCpuMs: number;
  readonly blockClockMs: number;
  /** The longest that a change of an innocent stack took until the operator had reported it. */
  readonly innocentMs: number;
  readonly changes: number;
  readonly peakMegabytes: number;
}

const NODES = 100;
const IN_FLIGHT = 4;

interface Seen {
  readonly resourceVersion: number;
  readonly generation: number;
  readonly accepted: string;
}

/** Lets an operator meet hostile stacks, all of which stay, while somebody else changes an innocent one. */
export async function runBatch(count: number, random: () => number): Promise<BatchFigures> {
  const plane = await startPlane();
  const directory = await mkdtemp(join(tmpdir(), 'hostile-'));
  const probe = join(directory, 'probe.json');
  const stop = new AbortController();
  let operator: OperatorProcess | undefined;
  try {
    const { client } = plane;
    for (let index = 0; index < NODES; index += 1) await createGpuNode(client, `node-${index}`, 'NVIDIA-A100', 8);
    await createNamespace(client, 'hostile');
    operator = await OperatorProcess.start({
      kubeconfig: await plane.kubeconfig(),
      directory,
      bundled: true,
      preload: fileURLToPath(new URL('loop-probe.ts', import.meta.url)),
      env: { LOOP_PROBE_FILE: probe },
    });
    const seen = new Watcher(client, stop.signal);
    const innocent = new Innocent(client, seen);
    await innocent.begin();
    let refusedByServer = 0;
    const meet = async (index: number): Promise<void> => {
      if (!(await admitted(client, `s${index}`, hostileSpec(random)))) refusedByServer += 1;
      else await seen.until(`hostile/s${index}`, 1);
    };
    await inParallel(count, meet, IN_FLIGHT);
    const { longestMs, changes } = await innocent.end();
    const { cpuMs, clockMs } = JSON.parse(readFileSync(probe, 'utf8')) as { cpuMs: number; clockMs: number };
    return {
      admitted: count - refusedByServer,
      refusedByServer,
      tooLarge: seen.count('SpecTooLarge'),
      blockCpuMs: cpuMs,
      blockClockMs: clockMs,
      innocentMs: longestMs,
      changes,
      peakMegabytes: processUsage(operator.pid).peakMegabytes,
    };
  } finally {
    stop.abort();
    await operator?.stop();
    await plane.stop();
    await rm(directory, { recursive: true });
  }
}

async function admitted(client: Client, name: string, spec: object): Promise<boolean> {
  try {
    await client.create(STACKS, newStack('hostile', name, spec));
    return true;
  } catch (error) {
    // What is too large for etcd is refused with a 500.
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Hears of every status that the operator writes. */
class Watcher {
  readonly #reflector: Reflector<Seen>;
  readonly #waiting = new Map<string, { generation: number; resolve: () => void }>();

  constructor(client: Client, signal: AbortSignal) {
    this.#reflector = new Reflector<Seen>({
      client,
      type: STACKS,
      keep: seenOf,
      onChange: ({ key, after }) => {
        const waiter = this.#waiting.get(key);
        if (waiter === undefined || (after?.generation ?? 0) < waiter.generation) return;
        this.#waiting.delete(key);
        waiter.resolve();
      },
    });
    void this.#reflector.run(signal);
  }

  /** Resolves when the operator has reported on a generation of a stack. */
  async until(key: string, generation: number): Promise<void> {
    if ((this.#reflector.store.get(key)?.generation ?? 0) >= generation) return;
    await new Promise<void>((resolve) => this.#waiting.set(key, { generation, resolve }));
  }

  count(reason: string): number {
    return [...this.#reflector.store.values()].filter(({ accepted }) => accepted === reason).length;
  }
}

function seenOf(object: KubernetesObject): Seen {
  const { metadata, status } = object as unknown as InferenceStack;
  return {
    resourceVersion: Number(metadata.resourceVersion),
    generation: status?.observedGeneration ?? 0,
    accepted: status?.conditions?.find(({ type }) => type === 'Accepted')?.reason ?? '',
  };
}

/** Somebody else's stack, which is changed again and again. */
class Innocent {
  readonly #client: Client;
  readonly #seen: Watcher;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  #changes = 0;
  #longestMs = 0;

  constructor(client: Client, seen: Watcher) {
    this.#client = client;
    this.#seen = seen;
  }

  async begin(): Promise<void> {
    await this.#client.create(STACKS, newStack('team-a', 'innocent', { applications: { llm: {} } }));
    await this.#seen.until('team-a/innocent', 1);
    this.#running = this.#change();
  }

  async end(): Promise<{ longestMs: number; changes: number }> {
    this.#stopped = true;
    await this.#running;
    return { longestMs: this.#longestMs, changes: this.#changes };
  }

  async #change(): Promise<void> {
    while (!this.#stopped) {
      this.#changes += 1;
      const started = performance.now();
      const spec = { applications: { llm: { readerConfig: { maxBatchSize: this.#changes } } } };
      const ref = { namespace: 'team-a', name: 'innocent' };
      const { metadata } = await this.#client.mergePatch(STACKS, ref, { spec });
      await this.#seen.until('team-a/innocent', metadata.generation ?? 0);
      this.#longestMs = Math.max(this.#longestMs, performance.now() - started);
      await setTimeout(100);
    }
  }
}

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { Client } from '../../../../packages/kube/client/client.ts';
import { createGpuNode } from '../../../support/kubernetes/cluster-objects.ts';
import { OperatorProcess } from '../../../support/operator/operator-process.ts';
import { createNamespace, newStack, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { processUsage } from '../process-usage.ts';
import { startInnocent, type InnocentFigures } from './innocent.ts';
import { Reports } from './reports.ts';
import { hostileSpec } from './specs.ts';

export interface BatchFigures extends InnocentFigures {
  readonly admitted: number;
  readonly refusedByServer: number;
  /** By the operator, because they are too much. */
  readonly tooLarge: number;
  /** The longest that the operator's event loop was held up: by its own work, and on the clock. */
  readonly blockCpuMs: number;
  readonly blockClockMs: number;
  readonly peakMegabytes: number;
}

const NODES = 100;

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
    const kubeconfig = await plane.kubeconfig();
    operator = await OperatorProcess.start({
      kubeconfig,
      directory,
      bundled: true,
      preload: fileURLToPath(new URL('loop-probe.ts', import.meta.url)),
      env: { LOOP_PROBE_FILE: probe },
    });
    const reports = new Reports(client, stop.signal);
    const innocent = await startInnocent(kubeconfig);
    let refusedByServer = 0;
    const meet = async (index: number): Promise<void> => {
      if (!(await admitted(client, `s${index}`, hostileSpec(random)))) refusedByServer += 1;
      else await reports.until(`hostile/s${index}`, 1);
    };
    for (let index = 0; index < count; index += 1) await meet(index);
    const innocentFigures = await innocent.end();
    const { cpuMs, clockMs } = JSON.parse(readFileSync(probe, 'utf8')) as { cpuMs: number; clockMs: number };
    return {
      admitted: count - refusedByServer,
      refusedByServer,
      tooLarge: reports.count('SpecTooLarge'),
      blockCpuMs: cpuMs,
      blockClockMs: clockMs,
      ...innocentFigures,
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

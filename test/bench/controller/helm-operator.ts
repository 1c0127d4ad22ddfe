import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GROUP, INFERENCE_STACK, STORAGE_VERSION } from '../../../packages/api/constants.ts';
import { freePorts } from '../../support/machine/free-port.ts';
import { Program } from '../../support/machine/program.ts';
import { createNamespace, ownedType, STACKS } from '../../support/operator/stack-api.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';
import { benchStack, inParallel, NAMESPACE, untilMade } from './workload.ts';

/** Deployments of one stack: the gateway's and those of three applications. */
const DEPLOYMENTS_PER_STACK = 4;

/** Seconds that the helm-operator takes with the public chart until the last Deployment of the last stack is there. */
export async function measureHelmOperator(stacks: number, chart: string): Promise<number> {
  const plane = await startPlane();
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const watches = [{ group: GROUP, version: STORAGE_VERSION, kind: INFERENCE_STACK.kind, chart }];
  await writeFile(join(directory, 'watches.yaml'), JSON.stringify(watches));
  let operator: Program | undefined;
  try {
    await createNamespace(plane.client, NAMESPACE);
    await inParallel(stacks, async (index) => {
      await plane.client.create(STACKS, benchStack(index));
    });
    const [metrics = 0, health = 0] = await freePorts(2);
    const started = performance.now();
    const args = [
      'run',
      `--watches-file=${join(directory, 'watches.yaml')}`,
      `--metrics-bind-address=127.0.0.1:${metrics}`,
      `--health-probe-bind-address=127.0.0.1:${health}`,
      '--max-concurrent-reconciles=16',
    ];
    operator = new Program('helm-operator', args, join(directory, 'helm-operator.log'), {
      KUBECONFIG: await plane.kubeconfig(),
    });
    await untilMade(plane.client, ownedType('Deployment'), stacks * DEPLOYMENTS_PER_STACK);
    return (performance.now() - started) / 1000;
  } finally {
    await operator?.stop('SIGKILL');
    await plane.stop();
    await rm(directory, { recursive: true });
  }
}

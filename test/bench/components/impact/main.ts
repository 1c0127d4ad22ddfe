import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { valueAt } from '../../../../packages/lib/json.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { CHANGES, packedOperator } from '../../../support/operator/changed-operator.ts';
import { OperatorProcess } from '../../../support/operator/operator-process.ts';
import { createNamespace, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { benchStack, inParallel, NAMESPACE } from '../../controller/workload.ts';
import { memoryOf } from './memory.ts';

const { values } = parseArgs({ options: { stacks: { type: 'string', default: '3000' } } });
const stacks = Number(values.stacks);
const ROUNDS = 3;

interface Round {
  readonly seconds: number;
  readonly readSeconds: number;
  readonly said: string;
  readonly megabytes: number;
}

/** Asks about an upgrade once, and watches the memory of all processes that takes. */
async function ask(kubeconfig: string, file: string): Promise<Round> {
  const program = fileURLToPath(new URL('ask.ts', import.meta.url));
  const child = spawn(process.execPath, [program, kubeconfig, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let megabytes = 0;
  const timer = setInterval(() => (megabytes = Math.max(megabytes, memoryOf(child.pid ?? 0))), 50);
  const printed = await text(child.stdout);
  clearInterval(timer);
  return { ...(JSON.parse(printed) as Omit<Round, 'megabytes'>), megabytes };
}

async function untilServed(plane: ControlPlane): Promise<void> {
  for (;;) {
    const all = await plane.client.listAll(STACKS);
    const served = all.filter(({ metadata, status }) => valueAt(status, 'observedGeneration') === metadata.generation);
    if (served.length === stacks) return;
    await setTimeout(1000);
  }
}

const load = loadavg()[0]?.toFixed(1) ?? '';
const plane = await startPlane();
const directory = await mkdtemp(join(tmpdir(), 'bench-impact-'));
try {
  await createNamespace(plane.client, NAMESPACE);
  await inParallel(stacks, async (index) => {
    await plane.client.create(STACKS, benchStack(index));
  });
  const [same, changed] = [join(directory, 'same.cjs'), join(directory, 'changed.cjs')];
  await writeFile(same, await packedOperator());
  await writeFile(changed, await packedOperator(CHANGES.gatewayEnv));
  const kubeconfig = await plane.kubeconfig();
  const operator = await OperatorProcess.start({ kubeconfig, directory, file: same });
  await untilServed(plane).finally(() => operator.stop());
  console.log(
    `${String(stacks)} stacks, ${String(cpus().length)} cores of ${cpus()[0]?.model ?? ''}, load ${load} before\n`,
  );
  for (const [name, file] of Object.entries({ same, changed })) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { seconds, readSeconds, megabytes, said } = await ask(kubeconfig, file);
      const figures = [
        `${seconds.toFixed(1)} s`,
        `${readSeconds.toFixed(1)} s of them reading`,
        `${megabytes.toFixed(0)} MiB`,
      ];
      console.log(`${name}: ${figures.join(', ')}; ${said.slice(0, 120)}`);
    }
  }
} finally {
  await plane.stop();
  await rm(directory, { recursive: true });
}

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CHANGES, packedOperator } from '../../../support/operator/changed-operator.ts';
import { startCannedApi } from './canned-api.ts';
import { memoryOf } from './memory.ts';

const { values } = parseArgs({
  options: { stacks: { type: 'string', default: '3000' }, applications: { type: 'string', default: '1' } },
});
const ROUNDS = 2;

interface Round {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly said: string;
  readonly megabytes: number;
}

/** Asks about an upgrade once, and watches the memory of all processes that this takes. */
async function ask(url: string, file: string): Promise<Round> {
  const program = fileURLToPath(new URL('ask.ts', import.meta.url));
  const child = spawn(process.execPath, [program, url, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let megabytes = 0;
  const timer = setInterval(() => (megabytes = Math.max(megabytes, memoryOf(child.pid ?? 0))), 100);
  const printed = await text(child.stdout);
  clearInterval(timer);
  return { ...(JSON.parse(printed) as Omit<Round, 'megabytes'>), megabytes };
}

const load = loadavg()[0]?.toFixed(1) ?? '';
const api = await startCannedApi(Number(values.stacks), Number(values.applications));
const directory = await mkdtemp(join(tmpdir(), 'bench-impact-'));
try {
  console.log(
    `${values.stacks} stacks (applications: ${values.applications}), ${String(cpus().length)} cores of ${cpus()[0]?.model ?? ''}, load ${load} before`,
  );
  for (const [name, change] of Object.entries({ same: undefined, changed: CHANGES.argument })) {
    const file = join(directory, `${name}.cjs`);
    await writeFile(file, await packedOperator(change));
    for (let round = 0; round < ROUNDS; round += 1) {
      const { seconds, cpuSeconds, megabytes, said } = await ask(api.url, file);
      const figures = [`${seconds.toFixed(1)} s`, `${cpuSeconds.toFixed(1)} s of CPU`, `${megabytes.toFixed(0)} MiB`];
      console.log(`${name}: ${figures.join(', ')}; ${said.slice(0, 120)}`);
    }
  }
} finally {
  api.close();
  await rm(directory, { recursive: true });
}

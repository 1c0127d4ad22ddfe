import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { runBatch, type BatchFigures } from './run-batch.ts';
import { seeded } from './specs.ts';

const { values } = parseArgs({
  options: {
    specs: { type: 'string', default: '10000' },
    batch: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    out: {
      type: 'string',
      default: fileURLToPath(new URL('../../../../docs/benchmarks/hostile-specs.md', import.meta.url)),
    },
  },
});

const load = loadavg()[0]?.toFixed(1) ?? '';
const random = seeded(Number(values.seed));
await promisify(execFile)('npm', ['run', 'build', '-w', 'controller', '--silent']);
const batches: BatchFigures[] = [];
for (let left = Number(values.specs); left > 0; left -= Number(values.batch)) {
  const figures = await runBatch(Math.min(left, Number(values.batch)), random);
  batches.push(figures);
  console.log(`${String(batches.length)}: ${JSON.stringify(figures)}`);
  await writeFile(values.out, page());
}

function page(): string {
  const sum = (of: (batch: BatchFigures) => number): number => batches.reduce((total, batch) => total + of(batch), 0);
  const most = (of: (batch: BatchFigures) => number): string => Math.max(...batches.map(of)).toFixed(0);
  const total = sum(({ admitted, refusedByServer }) => admitted + refusedByServer);
  return `# What hostile specs can do

Written by \`make bench-hostile\` on ${new Date().toISOString().slice(0, 10)}, on ${String(cpus().length)} cores of ${cpus()[0]?.model.trim() ?? 'an unknown model'} that ran
etcd and the API server as well. The machine's load before it began was ${load}.

${String(total)} generated specs, large, deep, many and colliding, meet an operator one after the other, in batches of ${values.batch} that all stay, in a
cluster with 100 GPU nodes. Meanwhile somebody else's stack in another namespace is changed again and again (${String(sum(({ changes }) => changes))} times).

| figure | measured | bar |
| --- | --- | --- |
| specs that the API server refused | ${String(sum(({ refusedByServer }) => refusedByServer))} | |
| specs that the operator refused as too large | ${String(sum(({ tooLarge }) => tooLarge))} | |
| longest block of the event loop by the operator's own work | ${most(({ blockCpuMs }) => blockCpuMs)} ms of CPU | 50 ms |
| the same on the clock, with what other processes took | ${most(({ blockClockMs }) => blockClockMs)} ms | |
| longest time until a change of the innocent stack was reported | ${most(({ innocentMs }) => innocentMs)} ms | 1000 ms |
| as many small writes without the operator, at the same times | ${most(({ controlMs }) => controlMs)} ms | |
| most by which a change took longer than those at the same time | ${most(({ beyondMs }) => beyondMs)} ms | |
| peak memory | ${most(({ peakMegabytes }) => peakMegabytes)} MiB | 384 MiB |
`;
}

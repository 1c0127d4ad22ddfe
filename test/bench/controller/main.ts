import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { measureBareClient, measureReportingClient } from './bare-client.ts';
import { measureHelmOperator } from './helm-operator.ts';
import { measureOperator } from './measure-operator.ts';
import { plot } from './plot.ts';
import { bars, table, type Row } from './report.ts';
import { renderedObjects } from './workload.ts';

const { values } = parseArgs({
  options: {
    stacks: { type: 'string', default: '100,1000,3000' },
    // The public chart, for a comparison with the operator that runs it; it is no part of this project.
    chart: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../../../docs/benchmarks', import.meta.url)) },
  },
});

/** The comparison with the helm-operator is made at this size only: it would take hours at the others. */
const HELM_STACKS = 100;

const load = loadavg()[0]?.toFixed(1) ?? '';
await promisify(execFile)('npm', ['run', 'build', '-w', 'controller', '--silent']);
const rows: Row[] = [];
for (const stacks of values.stacks.split(',').map(Number)) {
  const bareSeconds = await measureBareClient(stacks);
  const figures = await measureOperator(stacks);
  const reportingSeconds = await measureReportingClient(stacks, figures.status);
  const helm = values.chart !== undefined && stacks === HELM_STACKS;
  const helmSeconds = helm ? await measureHelmOperator(stacks, values.chart ?? '') : undefined;
  const objectsPerStack = renderedObjects(0).length;
  rows.push({ stacks, objectsPerStack, bareSeconds, reportingSeconds, helmSeconds, ...figures });
  console.log(`${table(rows)}\n\n${bars(rows)}`);
  await mkdir(values.out, { recursive: true });
  await writeFile(`${values.out}/controller.svg`, plot(rows));
  await writeFile(`${values.out}/controller.md`, page());
}

function page(): string {
  const date = new Date().toISOString().slice(0, 10);
  return `# How fast the controller is

Written by \`make bench\` on ${date}, on ${cpus().length} cores of ${cpus()[0]?.model.trim() ?? 'an unknown model'} that ran etcd and the API
server as well. The machine's load before it began was ${load}.

Each stack has three applications. There are no kubelets, so pods never start. The bare client only applies the same
objects, as many at a time (16), without watching, planning or reporting: it is the limit. The reporting client does what no
operator can do without: it also writes the same status to each stack, and hears of all that changes. \`p50\` and \`p99\` are from
the change of a spec to the moment at which a watcher sees the changed Deployment. CPU and memory are those of the operator's
process over the whole run. Steady requests are those of ten quiet seconds, other than for the Lease and for looks at optional
kinds that are missing.

${table(rows)}

${bars(rows)}

![Seconds, memory and latency over stacks](controller.svg)
`;
}

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { run } from '../../../../packages/lib/command.ts';
import { TestCluster } from '../../../support/embedded/test-cluster.ts';
import { publish, type Published } from './publisher.ts';
import { page } from './report.ts';
import { Roads } from './roads.ts';
import { Steps } from './steps.ts';
import { Stranger } from './stranger.ts';

const PAGE = join(checkout, 'docs', 'benchmarks', 'client-proof.md');

const { values } = parseArgs({ options: { roads: { type: 'string', default: 'abc' } } });
const steps = new Steps();
const cluster = new TestCluster('client', 5);
const directory = mkdtempSync(join(tmpdir(), 'client-proof-'));
try {
  await steps.run('an empty cluster, with a registry', async () => {
    await cluster.command('up');
  });
  await steps.run('its registry gets what others pull: OLM, gateway, engine', async () => {
    await run('node', [join(checkout, 'cluster', 'mirror', 'main.ts')], { env: cluster.env });
  });
  const published = await publish(steps, cluster, join(directory, 'publisher'));
  // From here on nothing can be built.
  const socket = cluster.layout.buildkitSocket;
  renameSync(socket, `${socket}.gone`);
  mkdirSync(join(directory, 'stranger'));
  const roads = new Roads(steps, cluster, new Stranger(cluster, join(directory, 'stranger')), published);
  await roads.program();
  await write(published);
  if (values.roads.includes('b')) {
    await roads.tenLines();
    await write(published);
  }
  if (values.roads.includes('c')) {
    await roads.plainYaml();
    await write(published);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
  await cluster.remove();
}

/** After each road: what was seen stays seen if the next one fails. */
async function write(published: Published): Promise<void> {
  const [cpu] = cpus();
  const report = page({
    steps: steps.done,
    published,
    machine: `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'})`,
    date: new Date().toISOString().slice(0, 10),
    revision: (await run('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: checkout })).trim(),
  });
  writeFileSync(PAGE, await format(report, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
}

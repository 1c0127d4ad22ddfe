import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { formatSeconds, Progress } from '../../packages/lib/progress.ts';
import { exclusively } from '../../toolchain/exclusive.ts';
import { Cluster, UP_STEPS } from './cluster.ts';
import { refuseStopped } from './description.ts';
import { type Layout, layoutOf } from './layout.ts';
import { refuseFullDisk, refuseUnsupported } from './preconditions.ts';
import { readSettings } from './settings.ts';

const USAGE = 'usage: cluster up | down | status | delete | kubeconfig';

async function main(command: string | undefined): Promise<number> {
  refuseUnsupported();
  const settings = readSettings();
  const layout = layoutOf(settings);
  if (command === 'kubeconfig') return kubeconfig(layout);
  const cluster = new Cluster(layout, settings);
  switch (command) {
    case 'up':
      return alone(layout, () => up(cluster, layout));
    case 'down':
      return alone(layout, async () => {
        console.log((await cluster.down()) ? `Stopped. Its data stays in ${layout.root}.` : 'It was not running.');
        return 0;
      });
    case 'delete':
      return alone(layout, async () => {
        console.log((await cluster.delete()) ? 'Deleted, with all its data.' : 'There was nothing to delete.');
        return 0;
      });
    case 'status':
      return status(cluster, layout);
    default:
      console.error(USAGE);
      return 2;
  }
}

async function up(cluster: Cluster, layout: Layout): Promise<number> {
  refuseFullDisk(layout);
  const before = Date.now();
  const started = await cluster.up(new Progress(UP_STEPS));
  const seconds = formatSeconds((Date.now() - before) / 1000);
  console.log(started.length === 0 ? `Nothing to do: it runs already (${seconds}).` : `Ready in ${seconds}.`);
  console.log(`  export KUBECONFIG=${layout.kubeconfig}`);
  return 0;
}

function status(cluster: Cluster, layout: Layout): number {
  const states = cluster.status();
  for (const { name, pid } of states)
    console.log(`${name.padEnd(26)}${pid === undefined ? 'not running' : `pid ${pid}`}`);
  const running = states.every(({ pid }) => pid !== undefined);
  if (!running) {
    console.log('\nStart or repair it with: make cluster-up');
    return 1;
  }
  console.log(`\nkubeconfig  ${layout.kubeconfig}
API server  ${layout.server}
registry    ${layout.registry}
Services    ${layout.serviceNetwork}, pods ${layout.podNetwork}: reached from this machine by their addresses
logs        ${layout.logs}`);
  return 0;
}

function kubeconfig(layout: Layout): number {
  if (!existsSync(layout.kubeconfig)) {
    console.error('There is no embedded cluster. Start it with: make cluster-up');
    return 1;
  }
  refuseStopped(layout);
  console.log(layout.kubeconfig);
  return 0;
}

/** Two commands at once would undo each other's work. The lock is beside the directory, which may be deleted. */
async function alone(layout: Layout, work: () => Promise<number>): Promise<number> {
  const waiting = (pid: number): void => console.error(`Waiting for process ${pid}, which works on the same cluster.`);
  return exclusively(join(layout.root, '..', `${layout.name}.lock`), waiting, work);
}

try {
  process.exitCode = await main(process.argv[2]);
} catch (error) {
  // Problems that a person can act on need no stack trace.
  console.error(error instanceof ProblemsError ? error.message : error);
  process.exitCode = 1;
}

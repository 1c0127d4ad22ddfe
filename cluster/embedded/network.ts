import { ProblemsError } from '../../packages/lib/problem.ts';
import { run } from '../../packages/lib/command.ts';
import { overlaps, parseCidr } from './cidr.ts';
import type { Layout } from './layout.ts';
import type { Machine } from './machine.ts';

interface Route {
  readonly dst: string;
  readonly dev?: string;
}

/**
 * Connects this machine with the cluster's network namespace: one link, and routes to pods and Services over it. All of it
 * vanishes with the namespace. Nothing is forwarded to other machines, in either direction.
 */
export async function ensureLink(layout: Layout, machine: Machine): Promise<void> {
  const holder = machine.holder();
  if (holder === undefined) throw new Error('the cluster is not up');
  const { hostDevice, hostAddress, nodeAddress, linkBits } = layout;
  const present = (await run('ip', ['-j', 'link'])).includes(`"${hostDevice}"`);
  if (!present) {
    await refuseOverlap(layout);
    const peer = ['peer', 'name', 'eth0', 'netns', String(holder)];
    await run('ip', ['link', 'add', hostDevice, 'type', 'veth', ...peer]);
  }
  await run('ip', ['address', 'replace', `${hostAddress}/${linkBits}`, 'dev', hostDevice]);
  await run('ip', ['link', 'set', hostDevice, 'up']);
  await machine.enter(['ip', 'address', 'replace', `${nodeAddress}/${linkBits}`, 'dev', 'eth0']);
  await machine.enter(['ip', 'link', 'set', 'eth0', 'up']);
  await machine.enter(['ip', 'route', 'replace', 'default', 'via', hostAddress]);
  for (const network of [layout.podNetwork, layout.serviceNetwork]) {
    await run('ip', ['route', 'replace', network, 'via', nodeAddress, 'dev', hostDevice]);
  }
}

/** Taking over a network that this machine uses would cut it off from there. */
async function refuseOverlap(layout: Layout): Promise<void> {
  const routes = JSON.parse(await run('ip', ['-j', 'route', 'show', 'table', 'all'])) as Route[];
  const wanted = {
    'network.link': `${layout.hostAddress}/${layout.linkBits}`,
    'network.pods': layout.podNetwork,
    'network.services': layout.serviceNetwork,
  };
  const problems = Object.entries(wanted).flatMap(([path, value]) => {
    const clash = routes.find((route) => route.dev !== layout.hostDevice && overlapsRoute(value, route.dst));
    if (clash === undefined) return [];
    const message = `overlaps with ${clash.dst} on ${clash.dev ?? 'this machine'}`;
    return [{ object: 'cluster.yaml', path, value, message, remedy: 'Choose another private network there.' }];
  });
  if (problems.length > 0) throw new ProblemsError(problems);
}

function overlapsRoute(network: string, destination: string): boolean {
  const [one, other] = [parseCidr(network), parseCidr(destination.includes('/') ? destination : `${destination}/32`)];
  // The default route covers everything and does not conflict.
  return one !== undefined && other !== undefined && other.bits > 0 && overlaps(one, other);
}

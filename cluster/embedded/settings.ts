import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, refuse } from '../../packages/lib/problem.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { parseCidr } from './cidr.ts';

/** GPUs that a node advertises. */
export interface Gpus {
  /** As GPU feature discovery writes it, e.g. `NVIDIA-A100-SXM4-80GB`. */
  readonly product: string;
  /** MiB of one GPU. */
  readonly memory: number;
  readonly count: number;
}

export interface SimulatedNode {
  readonly name: string;
  readonly gpus: Gpus;
}

export interface ClusterSettings {
  readonly name: string;
  readonly network: { readonly link: string; readonly pods: string; readonly services: string };
  readonly gpus: Gpus;
  readonly simulatedNodes: readonly SimulatedNode[];
}

/** The file that describes the cluster: the committed one, or the one that CLUSTER_CONFIG names. */
export function settingsPath(env: NodeJS.ProcessEnv = process.env): string {
  return env['CLUSTER_CONFIG'] ?? join(checkout, 'cluster', 'cluster.yaml');
}

export function readSettings(path = settingsPath()): ClusterSettings {
  const settings = readYaml(readFileSync(path, 'utf8'), path) as ClusterSettings;
  refuse(checkSettings(settings).map((problem) => ({ object: path, ...problem })));
  return settings;
}

/** A network device has 15 characters, of which the prefix takes 4. */
const NAME = /^[a-z][a-z0-9-]{0,10}$/;

export function checkSettings(settings: ClusterSettings): Problem[] {
  const problems: Problem[] = [];
  if (!NAME.test(settings.name)) {
    problems.push({
      path: 'name',
      value: settings.name,
      message: 'cannot name a network device',
      remedy: 'Use at most 11 lower case letters, digits and dashes.',
    });
  }
  const smallest = { link: 30, pods: 24, services: 24 } as const;
  for (const [key, bits] of Object.entries(smallest)) {
    const value = settings.network[key as keyof typeof smallest];
    const cidr = parseCidr(value);
    if (cidr !== undefined && cidr.bits <= bits) continue;
    problems.push({
      path: `network.${key}`,
      value,
      message: `is not an IPv4 network of /${bits} or larger`,
      remedy: 'Write it as 10.213.0.0/16.',
    });
  }
  const nodes = [{ path: 'gpus', gpus: settings.gpus }].concat(
    settings.simulatedNodes.map((node, index) => ({ path: `simulatedNodes[${index}].gpus`, gpus: node.gpus })),
  );
  for (const { path, gpus } of nodes) {
    for (const key of ['memory', 'count'] as const) {
      if (Number.isInteger(gpus[key]) && gpus[key] >= 0) continue;
      problems.push({ path: `${path}.${key}`, value: gpus[key], message: 'is not a whole number of at least 0' });
    }
  }
  return problems;
}

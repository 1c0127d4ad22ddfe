import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { writePrivate } from './files.ts';
import { certPath, type Layout, configuredLayout } from './layout.ts';
import { Machine } from './machine.ts';

/** What others need to know to use the embedded cluster. */
export interface EmbeddedCluster {
  readonly kubeconfig: string;
  readonly context: string;
  /** `host:port`, the one name of the registry for BuildKit, the kubelet, pods and this machine. */
  readonly registry: string;
  /** Path of the certificate authority that the registry and the API server are signed by. */
  readonly ca: string;
  /** Address of the BuildKit daemon. */
  readonly buildkit: string;
  /** DOCKER_CONFIG with an instance of buildx, `buildxInstance`, for @pulumi/docker-build. */
  readonly dockerConfig: string;
  readonly buildxInstance: string;
}

/** The embedded cluster of this user, if it was ever started. */
export function embeddedCluster(layout = configuredLayout()): EmbeddedCluster | undefined {
  const path = join(layout.root, 'cluster.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as EmbeddedCluster) : undefined;
}

/** Whether its processes run; a stopped cluster still has its state. */
export function isRunning(layout: Layout): boolean {
  return new Machine(layout).holder() !== undefined;
}

/** The addresses of a stopped cluster lead out of this machine, where a stranger might answer. */
export function refuseStopped(layout: Layout, running = isRunning): void {
  if (!running(layout)) throw new ProblemsError([stoppedProblem(layout)]);
}

export function stoppedProblem({ name }: Pick<Layout, 'name'>): Problem {
  return { object: 'embedded cluster', path: name, message: 'is stopped', remedy: 'Start it with: make cluster-up' };
}

export function describeCluster(layout: Layout): EmbeddedCluster {
  return {
    kubeconfig: layout.kubeconfig,
    context: layout.name,
    registry: layout.registry,
    ca: certPath(layout, 'ca'),
    buildkit: `unix://${layout.buildkitSocket}`,
    dockerConfig: layout.dockerConfig,
    buildxInstance: layout.name,
  };
}

export function writeDescription(layout: Layout): void {
  const cluster = describeCluster(layout);
  const instance = {
    Name: cluster.buildxInstance,
    Driver: 'remote',
    Nodes: [{ Name: `${cluster.buildxInstance}0`, Endpoint: cluster.buildkit }],
  };
  writePrivate(join(layout.dockerConfig, 'config.json'), '{}\n');
  writePrivate(join(layout.dockerConfig, 'buildx', 'instances', cluster.buildxInstance), JSON.stringify(instance));
  writePrivate(join(layout.root, 'cluster.json'), `${JSON.stringify(cluster, undefined, 2)}\n`);
}

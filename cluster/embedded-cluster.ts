import { existsSync, readFileSync } from 'node:fs';
import type { Problem } from '../packages/lib/problem.ts';
import { describeCluster, embeddedCluster, isRunning, stoppedProblem } from './embedded/environment.ts';
import { configuredLayout } from './embedded/layout.ts';
import { mirroredImages } from './mirror/mirror.ts';

/** The embedded cluster, as whoever uses it has to know it. */
export interface EmbeddedClusterDescription {
  /** The only directory that it keeps anything in. */
  readonly directory: string;
  /** Whether it was ever started; a deleted one was not. */
  readonly exists: boolean;
  readonly kubeconfig: string;
  readonly context: string;
  /** Where images go that are built for it. */
  readonly registry: string;
  /** The instance of buildx that can push there. */
  readonly buildxInstance: string;
  /** DOCKER_CONFIG with that instance. */
  readonly dockerConfig: string;
  /** Address of its BuildKit. */
  readonly buildkit: string;
  /** PEM of the authority by which its registry is trusted. It is made when the cluster is first started. */
  readonly authority: string | undefined;
  readonly images: EmbeddedImages;
  /** Why the cluster cannot be asked now. One that was never started holds nothing to ask for, and is not stopped. */
  readonly stopped: Problem | undefined;
}

/** Images that the cluster has itself, by digest. Before it is first started it has none. */
export interface EmbeddedImages {
  /** Node, for programs to be built on. */
  readonly node?: string | undefined;
  /** OLM's controllers. */
  readonly catalogd?: string | undefined;
  readonly operatorController?: string | undefined;
}

/** Looks at the embedded cluster of this user. Its addresses are known before it is started. */
export function describeEmbeddedCluster(env: NodeJS.ProcessEnv = process.env): EmbeddedClusterDescription {
  const layout = configuredLayout(env);
  const { ca, ...cluster } = describeCluster(layout);
  const { node, catalogd, 'operator-controller': operatorController } = mirroredImages(layout);
  const exists = embeddedCluster(layout) !== undefined;
  return {
    ...cluster,
    directory: layout.root,
    exists,
    authority: existsSync(ca) ? readFileSync(ca, 'utf8') : undefined,
    images: { node, catalogd, operatorController },
    stopped: exists && !isRunning(layout) ? stoppedProblem(layout) : undefined,
  };
}

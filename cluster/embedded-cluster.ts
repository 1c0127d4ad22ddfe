import { existsSync, readFileSync } from 'node:fs';
import type { Problem } from '../packages/lib/problem.ts';
import { describeCluster, embeddedCluster, isRunning, stoppedProblem } from './embedded/description.ts';
import { configuredLayout } from './embedded/layout.ts';
import { mirroredImages } from './mirror/mirror.ts';

/** What users of the embedded cluster need to know about it. */
export interface EmbeddedClusterDescription {
  /** The directory with all of its data. */
  readonly directory: string;
  /** Whether it was ever started; a deleted one was not. */
  readonly exists: boolean;
  readonly kubeconfig: string;
  readonly context: string;
  /** The registry for images that are built for it. */
  readonly registry: string;
  /** The instance of buildx that can push there. */
  readonly buildxInstance: string;
  /** DOCKER_CONFIG with that instance. */
  readonly dockerConfig: string;
  /** Address of its BuildKit. */
  readonly buildkit: string;
  /** PEM of the authority that signs its registry's certificate. It is created when the cluster first starts. */
  readonly authority: string | undefined;
  readonly images: EmbeddedImages;
  /** Why the cluster does not answer now. One that was never started holds nothing, and does not count as stopped. */
  readonly stopped: Problem | undefined;
}

/** Images in the cluster's own registry, by digest. Before the first start there are none. */
export interface EmbeddedImages {
  /** Node, the base image for programs. */
  readonly node?: string | undefined;
  /** OLM's controllers. */
  readonly catalogd?: string | undefined;
  readonly operatorController?: string | undefined;
  /** The gateway, and an engine with a model, if this machine could provide them. */
  readonly onwards?: string | undefined;
  readonly llamaCpp?: string | undefined;
}

/** Describes the embedded cluster of this user. Its addresses are known before it is started. */
export function describeEmbeddedCluster(env: NodeJS.ProcessEnv = process.env): EmbeddedClusterDescription {
  const layout = configuredLayout(env);
  const { ca, ...cluster } = describeCluster(layout);
  const mirrored = mirroredImages(layout);
  const exists = embeddedCluster(layout) !== undefined;
  return {
    ...cluster,
    directory: layout.root,
    exists,
    authority: existsSync(ca) ? readFileSync(ca, 'utf8') : undefined,
    images: {
      node: mirrored.node,
      catalogd: mirrored.catalogd,
      operatorController: mirrored['operator-controller'],
      onwards: mirrored.onwards,
      llamaCpp: mirrored['llama-cpp'],
    },
    stopped: exists && !isRunning(layout) ? stoppedProblem(layout) : undefined,
  };
}

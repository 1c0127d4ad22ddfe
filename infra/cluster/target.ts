import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describeCluster, embeddedCluster, refuseStopped } from '../../cluster/embedded/environment.ts';
import { configuredLayout } from '../../cluster/embedded/layout.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { codeOf, messageOf } from '../../packages/lib/error.ts';
import { Client } from '../../packages/kube/client/client.ts';
import { loadConnection } from '../../packages/kube/connect/kubeconfig.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import type { Settings } from '../config/schema.ts';
import { settingPath } from '../config/setting-path.ts';
import { UNKNOWN_STATE, readLiveState, type LiveState } from './live-state.ts';

/** The cluster that a stack is for, and what belongs to it. */
export interface Target {
  /** Path of the kubeconfig; undefined when the environment's counts. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Names the cluster for the provider: a moved kubeconfig does not make it another cluster. */
  readonly identity: string;
  /** Where built images go. */
  readonly repository?: string;
  /** PEM of the authority by which the registry is trusted. */
  readonly registryCa?: string;
  /** The buildx builder that images are built with. */
  readonly builder?: string;
}

/** How long the cluster may take to answer before a preview goes on without it. */
const PATIENCE_MS = 5_000;

/** Finds the cluster that the settings name. */
export async function findTarget(settings: Settings): Promise<Target> {
  const ca = settings.registryCa === undefined ? undefined : await readCa(settings.registryCa);
  const own = {
    ...(settings.images.repository === undefined ? {} : { repository: settings.images.repository }),
    ...(ca === undefined ? {} : { registryCa: ca }),
  };
  if (settings.cluster === 'embedded') return { ...(await embeddedTarget()), ...own };
  return {
    // Pulumi runs the program in another directory than the one that its stack files are in.
    ...(settings.kubeconfig === undefined ? {} : { kubeconfig: settingPath(checkout, settings.kubeconfig) }),
    context: settings.kubeContext,
    // The settings' checks have made sure that there is one.
    identity: settings.kubeContext ?? '',
    ...own,
  };
}

async function readCa(path: string): Promise<string> {
  const file = settingPath(checkout, path);
  const problem = (message: string): ProblemsError => {
    const remedy = 'Name a PEM file; a relative path counts from the checkout.';
    return new ProblemsError([{ path: 'registryCa', value: file, message, remedy }]);
  };
  const pem = await readFile(file, 'utf8').catch((error: unknown) => {
    throw problem(`cannot be read (${codeOf(error)})`);
  });
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw problem('holds no certificate');
  return pem;
}

/** Addresses of the embedded cluster are known before it is started, its authority is not. */
async function embeddedTarget(): Promise<Target> {
  const { kubeconfig, context, registry, builder, ca } = describeCluster(configuredLayout());
  const started = existsSync(ca) ? { registryCa: await readFile(ca, 'utf8') } : {};
  return { identity: 'embedded', kubeconfig, context, repository: registry, builder, ...started };
}

/** A client of the cluster, which does not wait for long. */
export async function connect({ kubeconfig, context }: Pick<Target, 'kubeconfig' | 'context'>): Promise<Client> {
  return new Client(await loadConnection({ kubeconfig, context }), { requestTimeoutMs: PATIENCE_MS });
}

/** Asks the cluster something, with the credentials that the provider has too. */
export async function withTarget<T>(
  target: Pick<Target, 'kubeconfig' | 'context'>,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connect(target);
  try {
    return await ask(client);
  } finally {
    client.close();
  }
}

/** What is in the cluster; a preview goes on without an answer, everything else does not. */
export async function askTarget(target: Target, preview: boolean, warn: (message: string) => void): Promise<LiveState> {
  if (target.identity === 'embedded') refuseStoppedCluster();
  try {
    return await withTarget(target, readLiveState);
  } catch (error) {
    const reason = messageOf(error);
    if (!preview) throw unreachable(target, reason);
    warn(`The cluster cannot be asked (${reason}): this preview is that of a new cluster.`);
    return UNKNOWN_STATE;
  }
}

/** One that was never started is a new cluster; a stopped one has a fleet, of which nothing can be said. */
function refuseStoppedCluster(): void {
  const layout = configuredLayout();
  if (embeddedCluster(layout) !== undefined) refuseStopped(layout);
}

function unreachable(target: Target, reason: string): ProblemsError {
  const embedded = target.identity === 'embedded';
  return new ProblemsError([
    {
      path: embedded ? 'cluster' : 'kubeContext',
      value: target.context ?? target.identity,
      message: `cannot be reached: ${reason}`,
      remedy: embedded ? 'Start it with `make cluster-up`.' : 'Check it with `kubectl cluster-info`.',
    },
  ]);
}

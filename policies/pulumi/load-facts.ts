import { messageOf } from '../../packages/lib/error.ts';
import { USER_AGENT } from '../../packages/api/constants.ts';
import { Client } from '../../packages/kube/client/client.ts';
import { loadConnection } from '../../packages/kube/connect/kubeconfig.ts';
import { targetOf, type Target } from './clusters.ts';
import type { ClusterFacts, Facts } from '../knowledge/facts.ts';
import { known, type ObjectReader } from '../knowledge/objects/object-reader.ts';
import { identityOf } from './patch.ts';
import { givesRights } from '../knowledge/rights/rbac.ts';
import type { LoadFacts } from './policies.ts';
import { subjectsOf } from './resources.ts';
import { readClusterRoles } from './cluster-roles.ts';
import { readCluster } from '../facts/cluster.ts';
import { readPatched } from './patched-object.ts';
import { planFacts } from './planned.ts';

type ClusterOrReason = { readonly cluster: ClusterFacts } | { readonly noCluster: string };

/** A preview without a cluster must not wait for one that does not answer. */
const TIMEOUT_MS = 5_000;

/** Reads each cluster once, with its roles if the program gives rights, and each object that the program patches. */
export function factsLoader(packages: readonly string[], released: Pick<Facts, 'released'>): LoadFacts {
  const clusters = new Map<string, Promise<ClusterOrReason>>();
  const objects = new Map<string, Promise<ObjectReader | undefined>>();
  const roles = new Map<string, Promise<Pick<ClusterFacts, 'clusterRoles'>>>();
  return async (resources) => {
    const target = targetOf(resources);
    const key = JSON.stringify(target ?? null);
    const found = await once(clusters, key, () => readTarget(target, packages));
    if (!('cluster' in found)) return { ...released, ...planFacts(resources, undefined), ...found };
    const subjects = subjectsOf(resources);
    const patches = subjects.flatMap(({ patch }) => patch ?? []);
    const live = await Promise.all(
      patches.map((patch) =>
        once(objects, `${key} ${known(() => identityOf(patch)) ?? ''}`, () =>
          withClient(target, (client) => readPatched(client, patch)),
        ),
      ),
    );
    const patched = live.filter((object) => object !== undefined);
    const read = (): ReturnType<typeof readClusterRoles> => withClient(target, readClusterRoles);
    const given = subjects.some(({ object }) => givesRights(object)) ? await once(roles, key, read) : {};
    return { ...released, ...planFacts(resources, { ...found.cluster, patched, ...given }) };
  };
}

async function once<T>(done: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const pending = done.get(key) ?? work();
  done.set(key, pending);
  return pending;
}

async function readTarget(target: Target | undefined, packages: readonly string[]): Promise<ClusterOrReason> {
  if (target === undefined) return { noCluster: 'the program has no Kubernetes provider.' };
  if (!target.isKnown) return { noCluster: "the provider's cluster is known only after the update." };
  // A kubeconfig as text holds credentials: it must not be taken for a path and end up in a message.
  if (/[\n{]/.test(target.kubeconfig ?? '')) return { noCluster: "the provider's kubeconfig is text, not a file." };
  try {
    return { cluster: await withClient(target, (client) => readCluster(client, packages)) };
  } catch (error) {
    return { noCluster: messageOf(error) };
  }
}

async function withClient<T>(target: Target | undefined, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(await loadConnection(target), { requestTimeoutMs: TIMEOUT_MS, userAgent: USER_AGENT });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

import { messageOf } from '../../controller/src/error.ts';
import { Client } from '../../controller/src/runtime/client.ts';
import { loadConnection } from '../../controller/src/runtime/kubeconfig.ts';
import type { ClusterFacts, Facts } from '../core/facts.ts';
import { known, ObjectReader } from '../core/object-reader.ts';
import type { LoadFacts, Resource } from '../core/pulumi.ts';
import { readCluster } from './cluster.ts';
import { planFacts } from './planned.ts';

/** The cluster that the program's own provider talks to. */
interface Target {
  readonly kubeconfig?: string;
  readonly context?: string;
}

type ClusterOrReason = { readonly cluster: ClusterFacts } | { readonly noCluster: string };

/** A preview without a cluster must not wait for one that does not answer. */
const TIMEOUT_MS = 5_000;

/** Reads each cluster once in the life of the pack, whatever the number of policies that ask. */
export function factsLoader(packages: readonly string[], released: Pick<Facts, 'released'>): LoadFacts {
  const read = new Map<string, Promise<ClusterOrReason>>();
  return async (resources) => {
    const target = targetOf(resources);
    const key = JSON.stringify(target ?? null);
    const pending = read.get(key) ?? readTarget(target, packages);
    read.set(key, pending);
    const found = await pending;
    return 'cluster' in found
      ? { ...released, ...planFacts(resources, found.cluster) }
      : { ...released, ...planFacts(resources, undefined), ...found };
  };
}

function targetOf(resources: readonly Resource[]): Target | undefined {
  const provider = resources.find((resource) => resource.provider?.type === 'pulumi:providers:kubernetes')?.provider;
  if (provider === undefined) return undefined;
  const props = new ObjectReader(provider.props);
  const [kubeconfig = '', context = ''] = ['kubeconfig', 'context'].map((key) => known(() => props.text(key)));
  return { ...(kubeconfig === '' ? {} : { kubeconfig }), ...(context === '' ? {} : { context }) };
}

async function readTarget(target: Target | undefined, packages: readonly string[]): Promise<ClusterOrReason> {
  if (target === undefined) return { noCluster: 'the program has no Kubernetes provider.' };
  // A kubeconfig as text holds credentials: it must not be taken for a path and end up in a message.
  if (/[\n{]/.test(target.kubeconfig ?? '')) return { noCluster: "the provider's kubeconfig is text, not a file." };
  try {
    const client = new Client(await loadConnection(target), { requestTimeoutMs: TIMEOUT_MS });
    try {
      return { cluster: await readCluster(client, packages) };
    } finally {
      client.close();
    }
  } catch (error) {
    return { noCluster: messageOf(error) };
  }
}

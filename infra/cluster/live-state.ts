import type { Definition } from '../../components/api/crd-compatibility.ts';
import { readLiveDefinitions } from '../../components/api/read-live-definitions.ts';
import { liveOperators, type LiveOperator } from '../../components/fleet/live-operators.ts';
import { readStacks } from '../../components/fleet/read-stacks.ts';
import type { LabelledStack } from '../../components/fleet/removal.ts';
import { readWriters } from '../../components/guards/read-writers.ts';
import type { Writers } from '../../components/guards/writers.ts';
import { certificatesExpiry } from '../../components/olm/certificate-expiry.ts';
import type { ExistingOlm } from '../../components/olm/existing.ts';
import type { NodeFacts } from '../../components/olm/placement.ts';
import { readControlPlane } from '../../components/olm/read-control-plane.ts';
import { readExistingOlm } from '../../components/olm/read-existing.ts';
import { EXTENSIONS, WEBHOOKS } from '../../components/olm/resource-types.ts';
import { MANAGED_BY_SELECTOR } from '../../packages/api/labels.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { optional } from '../../packages/kube/client/optional.ts';

/** What the program has to know of the cluster before it decides anything. */
export interface LiveState {
  /** False when the cluster could not be reached: then nothing can be concluded from what is missing here. */
  readonly known: boolean;
  readonly olm?: ExistingOlm;
  /** Nodes labelled as control plane, with any value; absent if listing nodes is not allowed. */
  readonly controlPlane?: readonly NodeFacts[];
  /** When the certificates that this program issued for OLM stop being valid. */
  readonly certificatesExpire?: Date;
  /** The CRDs of our API that the cluster has. */
  readonly definitions: readonly Definition[];
  readonly operators: readonly LiveOperator[];
  readonly stacks: readonly LabelledStack[];
  /** Who may write ClusterExtensions and ClusterCatalogs, if a guard enforces a list. */
  readonly writers?: Writers;
}

/** A cluster of which nothing is known. */
export const UNKNOWN_STATE: LiveState = {
  known: false,
  definitions: [],
  operators: [],
  stacks: [],
};

/** Asks the cluster, all questions at once. */
export async function readLiveState(client: Pick<Client, 'get' | 'listAll'>): Promise<LiveState> {
  const listed = optional(client.listAll(EXTENSIONS));
  const [olm, controlPlane, webhooks, definitions, extensions, stacks, writers] = await Promise.all([
    readExistingOlm(client, listed),
    readControlPlane(client),
    client.listAll(WEBHOOKS, { labelSelector: MANAGED_BY_SELECTOR }),
    readLiveDefinitions(client),
    listed,
    readStacks(client),
    readWriters(client),
  ]);
  const expiry = certificatesExpiry(webhooks);
  return {
    known: true,
    ...(olm === undefined ? {} : { olm }),
    ...(controlPlane === undefined ? {} : { controlPlane }),
    ...(expiry === undefined ? {} : { certificatesExpire: expiry }),
    definitions,
    operators: liveOperators(extensions),
    stacks,
    ...(writers === undefined ? {} : { writers }),
  };
}

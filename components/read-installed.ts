import { Client } from '../packages/kube/client/client.ts';
import { optional } from '../packages/kube/client/optional.ts';
import { loadConnection, type ConnectionOptions } from '../packages/kube/connect/kubeconfig.ts';
import type { Definition } from './api/crd-compatibility.ts';
import { readLiveDefinitions } from './api/read-live-definitions.ts';
import { liveOperators, type LiveOperator } from './fleet/live-operators.ts';
import { readStacks } from './fleet/read-stacks.ts';
import type { LabelledStack } from './fleet/removal.ts';
import type { ExistingOlm } from './olm/existing.ts';
import type { NodeFacts } from './olm/placement.ts';
import { readControlPlane } from './olm/read-control-plane.ts';
import { readExistingOlm } from './olm/read-existing.ts';
import { EXTENSIONS } from './olm/resource-types.ts';

/** What components have to know of a cluster before they change it. */
export interface Installed {
  /** For `existing` of `OlmV1`; undefined when the cluster has no OLM. */
  readonly olm: ExistingOlm | undefined;
  /** For `controlPlane` of `OlmV1`; undefined if listing nodes is not allowed. */
  readonly controlPlane: readonly NodeFacts[] | undefined;
  /** For `live` of `InferenceStackApi`. */
  readonly definitions: readonly Definition[];
  /** For the third argument of `planFleet`: an upgrade begins with what is installed, and its installer needs the rights for both. */
  readonly operators: readonly LiveOperator[];
  /** The InferenceStacks, by the operators that they ask for. */
  readonly stacks: readonly LabelledStack[];
}

/** Asks a cluster what it has. */
export async function readInstalled(options: Pick<ConnectionOptions, 'kubeconfig' | 'context'>): Promise<Installed> {
  const client = new Client(await loadConnection(options));
  try {
    const listed = optional(client.listAll(EXTENSIONS));
    const [olm, controlPlane, definitions, extensions, stacks] = await Promise.all([
      readExistingOlm(client, listed),
      readControlPlane(client),
      readLiveDefinitions(client),
      listed,
      readStacks(client),
    ]);
    return { olm, controlPlane, definitions, operators: liveOperators(extensions), stacks };
  } finally {
    client.close();
  }
}

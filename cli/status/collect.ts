import { MANAGED_BY_SELECTOR } from '../../packages/api/labels.ts';
import { CATALOGS, EXTENSIONS, WEBHOOKS } from '../../components/olm/resource-types.ts';
import { INFERENCE_STACK, MODEL_ORCHESTRA } from '../../packages/api/constants.ts';
import { stackType } from '../../packages/api/kinds.ts';
import { NODES, PODS } from '../../packages/kube/resource-types.ts';
import { isForbidden, isNotFound } from '../../packages/kube/client/api-error.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import type { ResourceType } from '../../packages/kube/object.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import type { FleetObjects, Listed } from './report.ts';

/** Which objects of a kind are read; without it, all. */
interface Which {
  readonly labelSelector?: string;
  readonly within?: string | undefined;
}

/** Reads everything that a report is about, all at once; of stacks those of one namespace, if it is named. */
export async function collectFleet(client: Client, namespace?: string): Promise<FleetObjects> {
  const all = async (type: ResourceType, { labelSelector, within }: Which = {}): Promise<Listed> => {
    try {
      return await client.listAll(type, definedOnly({ labelSelector, namespace: within }));
    } catch (error) {
      // A cluster without OLM or without our API has none of their objects.
      if (isNotFound(error)) return [];
      // Not everyone who has a stack may look at the whole cluster.
      if (isForbidden(error)) return undefined;
      throw error;
    }
  };
  const [catalogs, extensions, stacks, orchestras, nodes, pods, webhooks] = await Promise.all([
    all(CATALOGS),
    all(EXTENSIONS),
    all(stackType(INFERENCE_STACK), { within: namespace }),
    all(stackType(MODEL_ORCHESTRA), { within: namespace }),
    all(NODES),
    all(PODS),
    all(WEBHOOKS, { labelSelector: MANAGED_BY_SELECTOR }),
  ]);
  return {
    catalogs,
    extensions,
    // The earlier kind is usually switched off. The API server may then answer "forbidden", though there are just none.
    stacks: stacks === undefined ? undefined : [...stacks, ...(orchestras ?? [])],
    nodes,
    pods,
    webhooks,
  };
}

import { GROUP, INFERENCE_STACK, STORAGE_VERSION } from '../../controller/src/api/constants.ts';
import { isNotFound } from '../../controller/src/runtime/api-error.ts';
import type { Client } from '../../controller/src/runtime/client.ts';
import type { KubernetesObject, ResourceType } from '../../controller/src/runtime/object.ts';
import type { FleetObjects } from './report.ts';

const OLM = { group: 'olm.operatorframework.io', version: 'v1', namespaced: false };
const CORE = { group: '', version: 'v1' };

/** Reads everything that a report is about, all at once. */
export async function collectFleet(client: Client): Promise<FleetObjects> {
  const all = async (type: ResourceType, namespace?: string): Promise<readonly KubernetesObject[]> => {
    try {
      return await client.listAll(type, namespace === undefined ? {} : { namespace });
    } catch (error) {
      // A cluster without OLM or without our API has none of their objects.
      if (isNotFound(error)) return [];
      throw error;
    }
  };
  const { kind, plural } = INFERENCE_STACK;
  const [catalogs, extensions, stacks, nodes, pods, secrets] = await Promise.all([
    all({ ...OLM, kind: 'ClusterCatalog', plural: 'clustercatalogs' }),
    all({ ...OLM, kind: 'ClusterExtension', plural: 'clusterextensions' }),
    all({ group: GROUP, version: STORAGE_VERSION, kind, plural, namespaced: true }),
    all({ ...CORE, kind: 'Node', plural: 'nodes', namespaced: false }),
    all({ ...CORE, kind: 'Pod', plural: 'pods', namespaced: true }),
    all({ ...CORE, kind: 'Secret', plural: 'secrets', namespaced: true }, 'olmv1-system'),
  ]);
  const certificates = secrets.filter((secret) => secret['type'] === 'kubernetes.io/tls');
  return { catalogs, extensions, stacks, nodes, pods, certificates };
}

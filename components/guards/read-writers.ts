import { isForbidden } from '../../packages/kube/client/api-error.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../packages/kube/object.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { enforcedWriters, WRITERS_GUARD } from './writers-guard.ts';
import type { Writers } from './writers.ts';

const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false } as const;
const ADMISSION_POLICIES: ResourceType = {
  ...ADMISSION,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
};
const ADMISSION_BINDINGS: ResourceType = {
  ...ADMISSION,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
};

/** The writers that the guard of an earlier run admits; undefined if there is none. */
export async function readWriters(client: Pick<Client, 'get'>): Promise<Writers | undefined> {
  const [policies, bindings] = await Promise.all(
    [ADMISSION_POLICIES, ADMISSION_BINDINGS].map((type) => readGuard(client, type)),
  );
  return enforcedWriters(policies ?? [], bindings ?? []);
}

/** Somebody who may not read guards cannot apply them either. Such a run is a preview, and goes on without them. */
async function readGuard(client: Pick<Client, 'get'>, type: ResourceType): Promise<KubernetesObject[]> {
  try {
    return await optional(client.get(type, { name: WRITERS_GUARD }));
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}

import { policySpec, type Guard } from '../../../components/guards/policy.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import { apiVersionOf } from '../../../packages/kube/object.ts';

const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };
const POLICIES = { ...ADMISSION, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' };
export const BINDINGS = {
  ...ADMISSION,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
};

/** Creates a guard's policy and its binding; the API server enforces them a moment later. */
export async function installGuard(client: Client, guard: Guard): Promise<void> {
  const metadata = { name: guard.name };
  const apiVersion = apiVersionOf(POLICIES);
  await client.create(POLICIES, { apiVersion, kind: POLICIES.kind, metadata, spec: policySpec(guard) });
  const spec = { policyName: guard.name, validationActions: ['Deny'] };
  await client.create(BINDINGS, { apiVersion, kind: BINDINGS.kind, metadata, spec });
}

import { MANAGED_BY } from '../../packages/api/labels.ts';
import type { PlainObject } from '../plain-object.ts';
import { EXTENSION_GUARD } from './extension-guard.ts';
import { policySpec, type Guard } from './policy.ts';
import { stackGuard } from './stack-guard.ts';
import { writersGuard } from './writers-guard.ts';
import type { Writers } from './writers.ts';

/** `deny` refuses objects that break a rule; `warn` lets them pass with a warning and an audit entry. */
export type GuardAction = 'deny' | 'warn';

type Admission<Kind extends string> = PlainObject<'admissionregistration.k8s.io/v1', Kind>;

/** A guard as clusters get it. */
export interface GuardObjects {
  readonly policy: Admission<'ValidatingAdmissionPolicy'> & { readonly spec: object };
  readonly binding: Admission<'ValidatingAdmissionPolicyBinding'> & {
    readonly spec: { readonly policyName: string; readonly validationActions: string[] };
  };
}

/** The guards of a fleet; without writers, RBAC alone decides who writes extensions. */
export function guardsOf(majors: readonly number[], writers?: Writers): readonly Guard[] {
  return [EXTENSION_GUARD, stackGuard(majors), ...(writers === undefined ? [] : [writersGuard(writers)])];
}

export function guardObjects(guard: Guard, action: GuardAction): GuardObjects {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: guard.name, labels: MANAGED_BY };
  const validationActions = action === 'deny' ? ['Deny'] : ['Warn', 'Audit'];
  return {
    policy: { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata, spec: policySpec(guard) },
    binding: {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: guard.name, validationActions },
    },
  };
}

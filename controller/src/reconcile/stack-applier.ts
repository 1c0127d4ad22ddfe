import { FIELD_MANAGER } from '../../../packages/api/constants.ts';
import { MANAGED_BY_LABEL } from '../../../packages/api/labels.ts';
import { Applier, type ApplierOptions } from '../../../packages/kube/apply/applier.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { INSTANCE_LABEL } from '../../../packages/render/names.ts';
import { obstacleTo } from './obstacle.ts';

/** Makes the objects of stacks, and says what to do about an object that is in the way. */
export function stackApplier({ client, owned }: Pick<ApplierOptions, 'client' | 'owned'>): Applier {
  return new Applier({
    client,
    owned,
    fieldManager: FIELD_MANAGER,
    makerLabel: MANAGED_BY_LABEL,
    purposeOf: instanceOf,
    ownerNoun: 'this stack',
    remedyFor,
    obstacleTo,
  });
}

/** The stack that an object says it belongs to: one that nobody controls may be adopted for that stack, and no other. */
function instanceOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.labels?.[INSTANCE_LABEL];
}

/** fullnameOverride is a way out, since the names of all objects of the stack follow from it. */
export function remedyFor({ kind }: KubernetesObject): string {
  const use = kind === 'ServiceAccount' ? ', or serviceAccount.create: false to use it' : '';
  return `Remove it, or set fullnameOverride${use}.`;
}

import { FIELD_MANAGER } from '../../../packages/api/constants.ts';
import { isObject, objectsAt, type OpenObject } from '../../../packages/lib/json.ts';
import type { FieldSet, KubernetesObject } from '../../../packages/kube/object.ts';
import { ownerReferenceTo } from '../../../controller/src/reconcile/stack-view.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';

/** The keys of lists whose elements have owners, as the schema of Kubernetes has them. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  imagePullSecrets: ['name'],
  ports: ['containerPort', 'port', 'protocol'],
};

/** An object that an operator has applied for a stack, as the API server would have stored it. */
export function asStored(object: KubernetesObject, stack: InferenceStack, pods = 1): KubernetesObject {
  const stored = structuredClone(object);
  // The API server does not count an object's identity among the fields that somebody has set.
  const identity = ['apiVersion', 'kind', 'name', 'namespace'];
  const without = (fields: object): object =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => !identity.includes(field)));
  const owned = fieldSet({ ...without(object), metadata: without(object.metadata) }, '');
  stored.metadata.ownerReferences = [ownerReferenceTo(stack)];
  stored.metadata.managedFields = [
    { manager: FIELD_MANAGER, operation: 'Apply', apiVersion: object.apiVersion, fieldsV1: owned },
    {
      manager: 'kube-controller-manager',
      operation: 'Update',
      apiVersion: object.apiVersion,
      subresource: 'status',
      fieldsV1: {},
    },
  ];
  if (object.kind === 'Deployment') withDefaults(stored, pods);
  return stored;
}

function withDefaults(stored: KubernetesObject, pods: number): void {
  const { template } = stored['spec'] as { template: { spec: OpenObject } };
  stored['status'] = { replicas: pods };
  Object.assign(template.spec, { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', ...template.spec });
  for (const container of objectsAt(template.spec, 'containers')) {
    const filled = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' };
    Object.assign(container, { ...filled, ...container });
    for (const port of objectsAt(container, 'ports')) port['protocol'] ??= 'TCP';
  }
}

function fieldSet(value: unknown, field: string): FieldSet {
  if (Array.isArray(value)) {
    const keys = KEYS[field];
    if (keys === undefined) return {};
    return Object.fromEntries(
      value.filter(isObject).map((element) => {
        const key = Object.fromEntries(
          keys.filter((name) => name === 'protocol' || name in element).map((name) => [name, element[name] ?? 'TCP']),
        );
        return [`k:${JSON.stringify(key)}`, { '.': {}, ...fieldSet(element, '') }];
      }),
    );
  }
  if (!isObject(value)) return {};
  const given = Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
  return Object.fromEntries(given.map(([name, each]) => [`f:${name}`, fieldSet(each, name)]));
}

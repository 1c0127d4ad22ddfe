/** What every object of the Kubernetes API has; the rest of an object is for those who know its kind. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFields[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The fields that one writer has set, as the API server records them. */
export interface ManagedFields {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  subresource?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: FieldSet;
}

/** A tree of `f:field`, `k:{"key":"value"}`, `v:value` and `.` entries. */
export interface FieldSet {
  [path: string]: FieldSet;
}

/** One resource of the API: what is needed to build its URLs. */
export interface ResourceType {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Which object of a resource. */
export interface ObjectRef {
  readonly namespace?: string | undefined;
  readonly name: string;
}

export function apiVersionOf(type: Pick<ResourceType, 'group' | 'version'>): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** `namespace/name`, or `name` for what has no namespace: the key of a store or a queue. */
export function objectKey(ref: ObjectRef): string {
  return ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`;
}

/** How a message names an object: `Deployment team-a/chat`. */
export function describeObject(object: { kind: string; metadata: ObjectRef }): string {
  return `${object.kind} ${objectKey(object.metadata)}`;
}

/** The one owner that looks after an object, if there is one. */
export function controllerOf({ ownerReferences }: Pick<ObjectMeta, 'ownerReferences'>): OwnerReference | undefined {
  return ownerReferences?.find(({ controller }) => controller === true);
}

const CHOSEN_GROUP = process.env['INFERENCE_STACK_API_GROUP'] ?? '';

/**
 * The API group. Every process of a fleet of another group has INFERENCE_STACK_API_GROUP; everything else, the CRDs, the
 * RBAC, the guards and the annotations, follows from this one constant. Empty is unset: CI passes variables like that.
 */
export const GROUP = CHOSEN_GROUP === '' ? 'models.titanml.co' : CHOSEN_GROUP;

/** Served versions, oldest first. Their schemas are identical, so a write through either loses nothing. */
export const VERSIONS = ['v1alpha1', 'v1beta1'] as const;
export type ApiVersionName = (typeof VERSIONS)[number];

/** The version that etcd holds and that the operator reads and writes. */
export const STORAGE_VERSION: ApiVersionName = 'v1beta1';

/** The names of one custom resource. */
export interface ResourceNames {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
}

export const INFERENCE_STACK: ResourceNames = {
  kind: 'InferenceStack',
  listKind: 'InferenceStackList',
  plural: 'inferencestacks',
  singular: 'inferencestack',
  shortNames: ['istack'],
};

/** The earlier name of the same thing: reconciled alike when it is switched on. */
export const MODEL_ORCHESTRA: ResourceNames = {
  kind: 'ModelOrchestra',
  listKind: 'ModelOrchestraList',
  plural: 'modelorchestras',
  singular: 'modelorchestra',
  shortNames: ['morch'],
};

/** Every kind that is a stack. */
export const STACK_KINDS: readonly string[] = [INFERENCE_STACK.kind, MODEL_ORCHESTRA.kind];

export const CATEGORIES: readonly string[] = ['all', 'inference'];

/** The label with which a stack chooses its operator, e.g. `v2`. */
export const OPERATOR_VERSION_LABEL = 'operatorVersion';

/** What the program, its commands and its policies call themselves in the API server's audit log. */
export const USER_AGENT = 'inference-stack-fleet';

/** One field manager for every version and major, so that an upgrade or a handover leaves no stale owner behind. */
export const FIELD_MANAGER = 'inference-stack-operator';

/** On a pod template: the hash of the configuration file that its container reads only at start. */
export const CONFIG_HASH_ANNOTATION = `${GROUP}/config-hash`;

/** On a Deployment: the engine, or the gateway, and the revision of the operator's table that it was made from, e.g. `vllm/1`. */
export const ENGINE_ANNOTATION = `${GROUP}/engine`;

/** On a claim that outlives its stack: it gets no owner reference and is never pruned. */
export const DELETION_POLICY_ANNOTATION = `${GROUP}/deletion-policy`;
export const RETAIN = 'Retain';

/** The model runtime that this build of the operator serves when a stack names no image tag. */
export const DEFAULT_RUNTIME_VERSION = '0.22.0-rc20';

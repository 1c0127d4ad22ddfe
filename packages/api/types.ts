import type { Application } from './application.ts';
import type { NetworkPolicy } from './engine.ts';
import type { Gateway } from './gateway.ts';
import type { LocalObjectReference, StringMap } from './pod.ts';
import type { InferenceStackStatus } from './status.ts';

export type * from './application.ts';
export type * from './engine.ts';
export type * from './gateway.ts';
export type * from './gateway-network.ts';
export type * from './pod.ts';
export type * from './reader-config.ts';
export type * from './scaling.ts';
export type * from './status.ts';

/** Models behind one gateway. The label `operatorVersion` chooses the operator that serves the stack. */
export interface InferenceStack {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec: InferenceStackSpec;
  status?: InferenceStackStatus;
}

/** The part of Kubernetes' object metadata that the operator looks at. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  labels?: StringMap;
  annotations?: StringMap;
  deletionTimestamp?: string;
}

/** What to serve, and how. Every field is optional; `null` means the same as leaving it out. */
export interface InferenceStackSpec {
  /**
   * Secrets for pulling images.
   * @listMapKey name
   */
  imagePullSecrets?: LocalObjectReference[];
  /**
   * Takes the place of `inference-stack` in names and in the label app.kubernetes.io/name.
   * @pattern ^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$
   * @maxLength 55
   */
  nameOverride?: string;
  /**
   * The beginning of all names, instead of the stack's name and `inference-stack`. Two stacks of a namespace must differ.
   * @pattern ^([a-z]([-a-z0-9]*[a-z0-9])?)?$
   * @maxLength 55
   */
  fullnameOverride?: string;
  /**
   * Version of the model runtime, for images without a tag. `operator` follows the operator's own through upgrades.
   * Without it, a stack keeps the version that it started with.
   * @pattern ^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$
   * @maxLength 63
   */
  runtimeVersion?: string;
  /** The ServiceAccount of all pods. */
  serviceAccount?: ServiceAccount;
  /** The one door to all models of the stack, with the OpenAI API. */
  gateway?: Gateway;
  /** What keeps other pods of the cluster from the stack's engines. */
  networkPolicy?: NetworkPolicy;
  /** What all applications have in common. */
  applicationTemplate?: Application;
  /**
   * The models to serve, by name. What an application does not set comes from the template.
   * @maxProperties 100
   */
  applications?: Record<string, Application>;
}

/** The ServiceAccount of all pods. */
export interface ServiceAccount {
  /**
   * Whether to make it.
   * @default true
   */
  create?: boolean;
  /**
   * Whether its token is mounted into pods.
   * @default true
   */
  automount?: boolean;
  /** Annotations of the ServiceAccount. */
  annotations?: StringMap;
  /**
   * Its name. Without it, the stack's full name if it is made, else `default`.
   * @pattern ^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$
   * @maxLength 253
   */
  name?: string;
}

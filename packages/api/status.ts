import type { Condition } from '../kube/conditions.ts';
import type { ApplicationRollout } from './application.ts';
import type { GatewayKind } from './engine.ts';

export type { Condition };

/** What the operator has seen and done. Written by the operator only. */
export interface InferenceStackStatus {
  /**
   * The generation of the spec that this status describes.
   * @int64
   */
  observedGeneration?: number;
  /**
   * What holds for the stack. `Ready` sums it up.
   * @listMapKey type
   */
  conditions?: Condition[];
  /** Version of the operator that serves the stack; absent while none does. */
  operatorVersion?: string;
  /** The operator that acts on the stack. A new owner waits until the old one has released it or its Lease has run out. */
  claim?: Claim;
  /** Defaults as they were when the stack was first reconciled. An upgrade of the operator does not change them. */
  defaults?: FrozenDefaults;
  /** The objects that the operator has made for the stack. It prunes those that are no longer wanted. */
  inventory?: InventoryEntry[];
  /** State of the gateway. */
  gateway?: WorkloadStatus;
  /** State of each application, by name. */
  applications?: Record<string, ApplicationStatus>;
  /** Ready applications out of all, e.g. `2/3`. */
  applicationsReady?: string;
  /**
   * GPUs that the stack's pods hold on their nodes.
   * @integer
   */
  gpus?: number;
  /** Where the gateway answers inside the cluster. */
  url?: string;
}

/** Which operator acts on a stack. */
export interface Claim {
  /**
   * Major version of the operator.
   * @integer
   */
  major: number;
  /** Full version of the operator. */
  version: string;
  /** Name of the operator's installation, e.g. its ClusterExtension. */
  operator: string;
  /** The Lease under which the operator acts. Whoever holds another one waits until nobody holds this one. */
  lease?: ClaimLease;
  /** Whether the operator has let go, so that the next owner may act at once. */
  released?: boolean;
  /**
   * When the claim was made.
   * @dateTime
   */
  claimedAt?: string;
}

/** Where the Lease of an operator is. */
export interface ClaimLease {
  /** Namespace of the Lease. */
  namespace: string;
  /** Name of the Lease. */
  name: string;
}

/** Defaults that depend on the operator's version, kept per stack. */
export interface FrozenDefaults {
  /** Version of the model runtime, from which image tags are made. */
  runtimeVersion: string;
  /** Kind of the gateway. */
  gateway?: GatewayKind;
  /** By engine, and for the gateway Onwards: the revision of the operator's defaults that the stack keeps. */
  revisions?: Record<string, number>;
}

/** One object that the operator has made. */
export interface InventoryEntry {
  /** API version, e.g. `apps/v1`. */
  apiVersion: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
}

/** Pods of one Deployment. */
export interface WorkloadStatus {
  /**
   * Pods that are wanted.
   * @integer
   */
  replicas?: number;
  /**
   * Pods that are ready.
   * @integer
   */
  readyReplicas?: number;
  /**
   * Pods that run the present configuration.
   * @integer
   */
  updatedReplicas?: number;
  /** State of the workload, in one word. */
  phase?: 'Ready' | 'Progressing' | 'Waiting' | 'Failed' | 'Suspended';
  /** Why it is in this state, in a sentence. */
  message?: string;
}

/** State of one application. */
export interface ApplicationStatus extends WorkloadStatus {
  /**
   * GPUs that the application's pods hold on their nodes.
   * @integer
   */
  gpus?: number;
  /** Nodes that the pods run on: the first hundred by name. */
  nodes?: string[];
  /** The model that is served. */
  model?: string;
  /** Hash of the configuration that the pods should have. */
  configHash?: string;
  /** What last kept a pod from running, as the pod itself reports it, or which GPUs it waits for. */
  lastProblem?: string;
  /** The way of replacing pods that was chosen. */
  rollout?: Exclude<ApplicationRollout, 'auto'>;
  /** Why that way was chosen. */
  rolloutReason?: string;
}

import type { OpenObject } from '../lib/json.ts';

/**
 * Values that gateway and applications share. Pod-level subtrees stay open: Kubernetes checks them when the operator
 * applies the objects, and typing them a second time would break the limits on CRD size and CEL cost.
 */

/** A whole number, or a string such as a port name or a percentage. */
export type IntOrString = number | string;

/** A plain value of any type. */
export type Scalar = string | number | boolean;

/** Annotations and other texts by name. */
export type StringMap = Record<string, string>;

/** Labels, whose values Kubernetes holds to 63 characters. */
export type Labels = Record<string, string>;

export interface Image {
  /**
   * Repository of the image, without tag. Without it, the engine's own: `tytn/takeoff-pro` for takeoff.
   * @minLength 1
   */
  repository?: string;
  /**
   * When the kubelet pulls the image.
   * @default IfNotPresent
   */
  pullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /**
   * Tag of the image. Empty means the engine's own: for takeoff, the runtime's version with `-cpu` for the gateway and `-gpu` for applications.
   * @maxLength 128
   */
  tag?: string;
  /**
   * Digest of the image, in place of the tag.
   * @pattern ^sha256:[0-9a-f]{64}$
   */
  digest?: string;
}

export interface EnvVar {
  /**
   * Name of the environment variable.
   * @minLength 1
   */
  name: string;
  /**
   * Value of the variable.
   * @maxLength 32768
   */
  value?: string;
  /** Source of the value: a key of a Secret or ConfigMap, or a field of the pod. */
  valueFrom?: OpenObject;
}

export interface LocalObjectReference {
  /**
   * Name of the object, in the stack's namespace.
   * @minLength 1
   */
  name: string;
}

/** Limits how many pods voluntary disruptions, such as draining a node, may take away at once. */
export interface Disruption {
  /**
   * Whether to make a PodDisruptionBudget.
   * @default true
   */
  enabled?: boolean;
  /**
   * How many pods may be unavailable at once: a number or a percentage.
   * @default 1
   * @minimum 0
   * @pattern ^[0-9]{1,3}%$
   */
  maxUnavailable?: IntOrString;
  /**
   * How many pods must stay available: a number or a percentage. Not together with maxUnavailable.
   * @minimum 0
   * @pattern ^[0-9]{1,3}%$
   */
  minAvailable?: IntOrString;
}

/** How a pod leaves. */
export interface Drain {
  /**
   * Seconds that a pod keeps serving after it was told to stop, so that clients no longer use it when it stops.
   * @integer
   * @minimum 0
   * @maximum 3600
   */
  seconds?: number;
}

/** Affinity of pods, as in Kubernetes. The fields named here have a bound, because the operator looks at them for every node. */
export interface Affinity {
  [extra: string]: unknown;
  /** Affinity to nodes. */
  nodeAffinity?: NodeAffinity;
  /** Affinity to other pods. */
  podAffinity?: OpenObject;
  /** What pods keep away from. */
  podAntiAffinity?: PodAntiAffinity;
}

/** What pods keep away from. */
export interface PodAntiAffinity {
  [extra: string]: unknown;
  /**
   * Pods that must not be near.
   * @maxItems 20
   */
  requiredDuringSchedulingIgnoredDuringExecution?: OpenObject[];
}

/** Affinity to nodes. */
export interface NodeAffinity {
  [extra: string]: unknown;
  /** What a node must meet. */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/** Alternatives, of which a node must meet one. */
export interface NodeSelector {
  [extra: string]: unknown;
  /**
   * The alternatives.
   * @maxItems 20
   */
  nodeSelectorTerms?: NodeSelectorTerm[];
}

/** Requirements, of which a node must meet all. */
export interface NodeSelectorTerm {
  [extra: string]: unknown;
  /**
   * What the node's labels must be.
   * @maxItems 20
   */
  matchExpressions?: OpenObject[];
  /**
   * What the node's fields must be.
   * @maxItems 20
   */
  matchFields?: OpenObject[];
}

/** What the pods of the gateway and of applications have in common. */
export interface PodValues {
  /** Annotations of the pods. */
  podAnnotations?: StringMap;
  /** Further labels of the pods. */
  podLabels?: Labels;
  /** Security context of the pods. */
  podSecurityContext?: OpenObject;
  /** Security context of the container. */
  securityContext?: OpenObject;
  /** Resources of the container. */
  resources?: OpenObject;
  /** Liveness probe of the container. */
  livenessProbe?: OpenObject;
  /** Readiness probe of the container. */
  readinessProbe?: OpenObject;
  /** Startup probe of the container. */
  startupProbe?: OpenObject;
  /** Containers that run to their end before the container starts. */
  initContainers?: OpenObject[];
  /** Further volumes of the pods. */
  volumes?: OpenObject[];
  /** Further volume mounts of the container. */
  volumeMounts?: OpenObject[];
  /** Labels that a node must have. */
  nodeSelector?: Labels;
  /** Tolerations of the pods. */
  tolerations?: OpenObject[];
  /** Affinity of the pods. */
  affinity?: Affinity;
  /** How the pods spread. A constraint without labelSelector counts the pods of the same gateway or application. */
  topologySpreadConstraints?: OpenObject[];
  /** Priority class of the pods. */
  priorityClassName?: string;
  /** Runtime class of the pods. */
  runtimeClassName?: string;
  /** The pod disruption budget. */
  disruption?: Disruption;
}

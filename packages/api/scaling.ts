import type { OpenObject } from '../lib/json.ts';
import type { StringMap } from './pod.ts';

/** Scaling by KEDA. */
export interface Scaling {
  /**
   * Whether KEDA chooses the number of pods.
   * @default false
   */
  enabled?: boolean;
  /** The metric to scale by. */
  metricTarget?: MetricTarget;
  /** Annotations of the ScaledObject. */
  annotations?: StringMap;
  /** Spec of the ScaledObject. Without triggers it gets one that follows metricTarget. */
  spec?: ScalingSpec;
}

/** The metric that scaling follows. */
export interface MetricTarget {
  /**
   * Name of the metric.
   * @default consumerGroupSize
   */
  name?: 'consumerGroupSize';
  /**
   * The value to hold the metric to.
   * @default 10
   * @integer
   * @minimum 1
   */
  value?: number;
}

/** Spec of a ScaledObject, without its target. Extra fields are passed on. */
export interface ScalingSpec {
  [extra: string]: unknown;
  /**
   * Seconds between two looks at the metric.
   * @default 60
   * @integer
   * @minimum 1
   */
  pollingInterval?: number;
  /**
   * Seconds after creation before the cool-down starts to count.
   * @default 300
   * @integer
   * @minimum 0
   */
  initialCooldownPeriod?: number;
  /**
   * Seconds without activity before scaling to zero.
   * @default 300
   * @integer
   * @minimum 0
   */
  cooldownPeriod?: number;
  /**
   * Number of pods when there is nothing to do. Must be less than minReplicaCount.
   * @integer
   * @minimum 0
   */
  idleReplicaCount?: number;
  /**
   * The fewest pods. 0 scales to zero.
   * @default 1
   * @integer
   * @minimum 0
   * @maximum 1000
   */
  minReplicaCount?: number;
  /**
   * The most pods.
   * @default 4
   * @integer
   * @minimum 1
   * @maximum 1000
   */
  maxReplicaCount?: number;
  /** What to do when the scaler fails. */
  fallback?: OpenObject;
  /** Further settings of KEDA and of the horizontal pod autoscaler. */
  advanced?: OpenObject;
  /** Triggers, instead of the one that follows metricTarget. */
  triggers?: OpenObject[];
  /** Set by the operator: leave it out. */
  scaleTargetRef?: OpenObject;
}

import type { ApplicationRollout, FrozenDefaults, StringMap } from '../api/types.ts';
import type { KubernetesObject, ObjectMeta } from '../kube/object.ts';
import type { EffectiveSpec } from './effective.ts';
import type { Problem } from '../lib/problem.ts';

/** What a stack is made of: objects in its namespace, with labels. */
export interface RenderedObject extends KubernetesObject {
  metadata: RenderedMeta;
}

export interface RenderedMeta extends ObjectMeta {
  namespace: string;
  labels: StringMap;
}

/** Optional APIs of the cluster. */
export interface Capabilities {
  /** keda.sh/v1alpha1 ScaledObject */
  readonly keda: boolean;
  /** monitoring.coreos.com/v1 ServiceMonitor */
  readonly serviceMonitor: boolean;
}

/** A way of replacing pods, after `auto` has been decided. */
export type RolloutStrategy = Exclude<ApplicationRollout, 'auto'>;

/** Everything besides the stack that decides what is rendered. */
export interface RenderContext {
  readonly capabilities: Capabilities;
  /** The stack's frozen defaults: see `frozenDefaults`. */
  readonly defaults: FrozenDefaults;
  /** This operator's own defaults, for a stack that asks for them with `runtimeVersion: operator`. */
  readonly operatorDefaults: FrozenDefaults;
  /** What `auto` means for an application just now; `surge` for those that are not named. */
  readonly rollouts: Readonly<Record<string, RolloutStrategy>>;
}

/** What the rest of the operator wants to know about one application. */
export interface RenderedApplication {
  /** Name of its objects. */
  readonly objectName: string;
  /** Wanted pods; absent when a scaler decides. */
  readonly replicas?: number;
  readonly suspended: boolean;
  /** The rollout that the spec asks for. */
  readonly rollout: ApplicationRollout;
  /** GPUs of one pod, from `gpu` or from `resources`. */
  readonly gpu?: GpuRequest;
  /** Access mode of a cache that an old and a new pod cannot share wherever they run. */
  readonly exclusiveCache?: string;
  readonly configHash: string;
}

export interface GpuRequest {
  readonly resourceName: string;
  readonly count: number;
}

export interface RenderResult {
  /** What was rendered: the stack's spec with defaults and template. */
  readonly spec: EffectiveSpec;
  /** In a stable order: what others need comes first. */
  readonly objects: readonly RenderedObject[];
  readonly applications: Readonly<Record<string, RenderedApplication>>;
  /** What the user should know although it does not stop the rendering: ignored fields, missing optional APIs. */
  readonly notices: readonly Problem[];
}

/** What every object of one component, the gateway or an application, is made from. */
export interface Component {
  readonly objectName: string;
  readonly namespace: string;
  readonly selector: StringMap;
  readonly labels: StringMap;
}

export function metaOf(component: Component, annotations?: StringMap): RenderedMeta {
  const { objectName: name, namespace, labels } = component;
  const meta = { name, namespace, labels };
  return annotations === undefined || Object.keys(annotations).length === 0 ? meta : { ...meta, annotations };
}

export function configMap(component: Component, yaml: string): RenderedObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metaOf(component), data: { 'config.yaml': yaml } };
}

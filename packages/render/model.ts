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

/** What the cluster has and does beyond what every cluster does. */
export interface Capabilities {
  /** keda.sh/v1alpha1 ScaledObject */
  readonly keda: boolean;
  /** monitoring.coreos.com/v1 ServiceMonitor */
  readonly serviceMonitor: boolean;
  /** Pods get user and group ids from the platform, which refuses others. */
  readonly assignsUserIds: boolean;
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
  /** The model that is served, in the words of its author. */
  readonly model: string;
  /** The image of the engine. */
  readonly image: string;
  /** The names under which clients ask for the model. */
  readonly clients: readonly string[];
  /** The engine whose table was used, and the revision to keep; absent when the spec chooses the revision. */
  readonly revision?: KeptRevision;
  /** GPUs of one pod, from `gpu` or from `resources`. */
  readonly gpu?: GpuRequest;
  /** Access mode of a cache that an old and a new pod cannot share wherever they run. */
  readonly exclusiveCache?: string;
  /** Absent for an engine that has no configuration file. */
  readonly configHash?: string;
}

/** A revision of a table, by the name under which a stack keeps it. */
export interface KeptRevision {
  readonly table: string;
  readonly revision: number;
}

export interface GpuRequest {
  readonly resourceName: string;
  readonly count: number;
}

export interface RenderResult {
  /** What was rendered: the stack's spec with defaults and template. */
  readonly spec: EffectiveSpec;
  /** The image of the gateway. */
  readonly gatewayImage: string;
  /** The defaults that the stack keeps from now on: those that it had, and those that were used for the first time. */
  readonly defaults: FrozenDefaults;
  /** In a stable order: what others need comes first. */
  readonly objects: readonly RenderedObject[];
  readonly applications: Readonly<Record<string, RenderedApplication>>;
  /** What the user should know although it does not stop the rendering: ignored fields, missing optional APIs. */
  readonly notices: readonly Problem[];
}

/** What a gateway is made of. */
export interface GatewayResult {
  readonly image: string;
  readonly objects: RenderedObject[];
  /** The revision of its table that the stack keeps. */
  readonly revision?: KeptRevision;
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

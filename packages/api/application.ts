import type { OpenObject } from '../lib/json.ts';
import type { Engine, Model, Sidecar } from './engine.ts';
import type { Drain, EnvVar, Image, IntOrString, PodValues } from './pod.ts';
import type { ReaderConfig } from './reader-config.ts';
import type { Scaling } from './scaling.ts';
import type { VolumeSources } from './volume.ts';

/** How pods are replaced: `auto` chooses by the free GPUs; the others always do the same. */
export type ApplicationRollout = 'auto' | 'surge' | 'inPlace' | 'recreate';

/** A name by which clients ask for a model. */
export type Alias = string;

/** One model, served by one or more replicas. What is not set here comes from the application template. */
export interface Application extends PodValues {
  /**
   * What runs the model. All applications of a stack are open engines (vllm, sglang, llamacpp, openai), or none is.
   * @default takeoff
   */
  engine?: Engine;
  /**
   * Revision of the engine's defaults: image, arguments, probes. `operator` follows the operator's own through upgrades. Without it, a stack
   * keeps the revision that it started with.
   * @pattern ^(operator|[1-9][0-9]{0,3})$
   * @minimum 1
   * @maximum 9999
   */
  engineRevision?: IntOrString;
  /** The model of an open engine. An application's replaces the template's. */
  model?: Model;
  /**
   * Names by which clients ask for the model. Applications with a common alias share its requests. Without them, the application's name
   * and the model's.
   * @maxItems 20
   */
  aliases?: Alias[];
  /**
   * Share of the requests for an alias that several applications have. 0 gets none.
   * @default 1
   * @integer
   * @minimum 0
   * @maximum 1000
   */
  weight?: number;
  /**
   * Command of an open engine, in place of the engine's own and all its arguments.
   * @maxItems 500
   */
  command?: string[];
  /**
   * Further arguments of an open engine. One that the operator would set as well takes the place of the operator's.
   * @maxItems 500
   */
  args?: string[];
  /**
   * Port on which an open engine serves. Without it, the engine's own, and 8000 for `openai`.
   * @integer
   * @minimum 1024
   * @maximum 65535
   */
  port?: number;
  /** Image of the engine. */
  image?: Image;
  /** Image of an external engine. */
  externalEngineImage?: Image;
  /** Image of the reader beside an external engine. */
  sidecarImage?: Image;
  /** The reader beside an external engine. */
  sidecar?: Sidecar;
  /**
   * Environment variables. An application's take precedence over the template's, and both over those that the operator sets.
   * @listMapKey name
   * @maxItems 500
   */
  env?: EnvVar[];
  /** Configuration of the reader that serves the model. Keys in camelCase; extra keys are passed on. */
  readerConfig?: ReaderConfig;
  /**
   * Number of pods, when scaling is off.
   * @default 1
   * @integer
   * @minimum 0
   * @maximum 1000
   */
  replicaCount?: number;
  /** Ports of the container. */
  ports?: OpenObject[];
  /** GPUs for each pod: writes resources, node affinity and the usual toleration. */
  gpu?: Gpu;
  /**
   * Size of the shared memory, e.g. `8Gi`.
   * @pattern ^[1-9][0-9]{0,9}(Mi|Gi|M|G)$
   */
  shmSize?: string;
  /** Volume that models are loaded from and saved to. Empty means memory. An application's replaces the template's. */
  modelsVolume?: ModelsVolume;
  /** A claim for models that the operator makes, instead of modelsVolume. An application's replaces the template's. */
  modelCache?: ModelCache;
  /** Scaling by KEDA. */
  scaling?: Scaling;
  /**
   * How pods are replaced when the configuration changes.
   * @default auto
   */
  rollout?: ApplicationRollout;
  /**
   * Whether to run no pods for now. Everything else stays.
   * @default false
   */
  suspend?: boolean;
  /** What a pod does between being told to stop and stopping. */
  drain?: Drain;
  /**
   * Seconds that a pod has to finish what it is doing, drain included. llamacpp has 35 by default.
   * @default 120
   * @integer
   * @minimum 0
   * @maximum 86400
   */
  terminationGracePeriodSeconds?: number;
  /** Accepted from old manifests, without effect: applications are reached through the gateway's Ingress. */
  ingress?: OpenObject;
  /** Accepted from old manifests, without effect: applications are reached through the gateway. */
  service?: OpenObject;
  /** Accepted from old manifests, without effect: the gateway exports the metrics. */
  exportPrometheusMetrics?: boolean;
}

/** GPUs for each pod of an application. */
export interface Gpu {
  /**
   * How many GPUs each pod gets.
   * @default 1
   * @integer
   * @minimum 1
   * @maximum 64
   */
  count?: number;
  /**
   * The product, as the node label nvidia.com/gpu.product has it.
   * @minLength 1
   * @maxLength 63
   */
  product?: string;
  /**
   * The least memory of each GPU, e.g. `40Gi`, compared with the node label nvidia.com/gpu.memory.
   * @pattern ^[1-9][0-9]{0,6}(Mi|Gi)$
   */
  minMemory?: string;
  /**
   * The extended resource to ask for.
   * @default nvidia.com/gpu
   * @pattern ^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$
   * @maxLength 253
   */
  resourceName?: string;
}

/** A volume with exactly one source. */
export interface ModelsVolume extends VolumeSources {
  /**
   * Name of the volume.
   * @default models
   * @pattern ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$
   * @maxLength 63
   */
  name?: string;
}

/** A PersistentVolumeClaim for models. */
export interface ModelCache {
  /**
   * Size of the claim, e.g. `200Gi`.
   * @pattern ^[1-9][0-9]{0,9}(Mi|Gi|Ti|M|G|T)$
   */
  size: string;
  /** Storage class. Empty means the cluster's default. */
  storageClassName?: string;
  /**
   * Access mode. More than one pod on more than one node needs ReadWriteMany.
   * @default ReadWriteOnce
   */
  accessMode?: 'ReadWriteOnce' | 'ReadWriteMany' | 'ReadOnlyMany' | 'ReadWriteOncePod';
  /**
   * What happens to the claim, and the models in it, when the stack or the application is removed.
   * @default Retain
   */
  deletionPolicy?: 'Retain' | 'Delete';
}

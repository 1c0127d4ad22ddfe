import type { OpenObject } from '../lib/json.ts';
import type { EnvVar } from './pod.ts';

/**
 * What runs a model: `takeoff` reads from the gateway of the same name, `external` puts a reader beside an engine of one's own, and the
 * open engines serve the OpenAI API themselves. `openai` is anything that serves it from an image, a command and a port.
 */
export type Engine = 'takeoff' | 'external' | 'vllm' | 'sglang' | 'llamacpp' | 'openai';

/** Engines that serve the OpenAI API themselves, behind the gateway Onwards. */
export const OPEN_ENGINES = ['vllm', 'sglang', 'llamacpp', 'openai'] as const;
export type OpenEngine = (typeof OPEN_ENGINES)[number];
export type ReaderEngine = Exclude<Engine, OpenEngine>;

/** The gateway in front of the models. */
export type GatewayKind = 'takeoff' | 'onwards';

export function isOpenEngine(engine: Engine | undefined): engine is OpenEngine {
  return OPEN_ENGINES.some((open) => open === engine);
}

/** The model that an open engine serves, from exactly one source. */
export interface Model {
  /**
   * Name on Hugging Face, e.g. `Qwen/Qwen3-0.6B`. For llama.cpp, a repository of GGUF files, with the quantization after a colon.
   * @minLength 1
   * @maxLength 253
   */
  name?: string;
  /**
   * Branch, tag or commit on Hugging Face. Without it, the newest.
   * @minLength 1
   * @maxLength 253
   */
  revision?: string;
  /** Secret with the token for Hugging Face, for models that ask for one. */
  tokenSecret?: TokenSecret;
  /**
   * A file or folder: relative paths start in the models volume or cache, others in the image.
   * @minLength 1
   * @maxLength 1024
   */
  path?: string;
  /**
   * Address of a GGUF file, for llama.cpp.
   * @pattern ^https?://[^ ]+$
   * @maxLength 1024
   */
  url?: string;
  /** An OCI image that holds the model. The cluster needs image volumes. */
  image?: ModelImage;
}

/** A key of a Secret in the stack's namespace. */
export interface TokenSecret {
  /**
   * Name of the Secret.
   * @minLength 1
   * @maxLength 253
   */
  name: string;
  /**
   * Key in the Secret.
   * @default token
   * @minLength 1
   * @maxLength 253
   */
  key?: string;
}

/** An OCI image that holds a model. */
export interface ModelImage {
  /**
   * The image, with tag or digest.
   * @minLength 1
   * @maxLength 1024
   */
  reference: string;
  /** When the kubelet pulls the image. */
  pullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /**
   * The model's file or folder in the image. Without it, the whole image.
   * @maxLength 1024
   */
  path?: string;
}

/** The reader beside an external engine. */
export interface Sidecar {
  /**
   * Environment variables, after those that the operator sets.
   * @listMapKey name
   * @maxItems 500
   */
  env?: EnvVar[];
  /** Ports of the container. */
  ports?: OpenObject[];
  /** Resources of the container. */
  resources?: OpenObject;
}

/** What keeps other pods of the cluster from a stack's engines. */
export interface NetworkPolicy {
  /** Whether to make a NetworkPolicy, by which only the gateway and scrapers reach open engines. Default: true with open engines. */
  enabled?: boolean;
  /**
   * Who else reaches the engines, e.g. to read their metrics: peers as Kubernetes writes them. Without it, pods of every namespace that
   * are labelled `app.kubernetes.io/name: prometheus`.
   * @maxItems 20
   */
  scrapers?: OpenObject[];
}

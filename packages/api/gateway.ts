import type { GatewayService, Ingress } from './gateway-network.ts';
import type { OpenObject } from '../lib/json.ts';
import type { GatewayKind } from './engine.ts';
import type { Drain, EnvVar, Image, IntOrString, PodValues } from './pod.ts';

/** The one door to all models of the stack, with the OpenAI API. */
export interface Gateway extends PodValues {
  /** Kind of the gateway: `onwards` for open engines, `takeoff` for all others. It is chosen once, and changes only when it is set here. */
  kind?: GatewayKind;
  /**
   * Revision of the defaults of a gateway of the kind onwards: image, arguments, probes. `operator` follows the operator's own through
   * upgrades. Without it, a stack keeps the revision that it started with.
   * @pattern ^(operator|[1-9][0-9]{0,3})$
   * @minimum 1
   * @maximum 9999
   */
  revision?: IntOrString;
  /** Image of the gateway. */
  image?: Image;
  /** Configuration of a takeoff gateway's server. Keys in camelCase; extra keys are passed on. */
  config?: GatewayConfig;
  /**
   * Environment variables. They take precedence over those that the operator sets.
   * @listMapKey name
   * @maxItems 500
   */
  env?: EnvVar[];
  /**
   * Number of pods.
   * @default 1
   * @integer
   * @minimum 0
   * @maximum 1000
   */
  replicaCount?: number;
  /** Ports of the container. Without them: inference 3000, management 3001, openai 3003 and internal 3005; Onwards: http 3000, metrics 9090. */
  ports?: OpenObject[];
  /** The Service in front of the pods. */
  service?: GatewayService;
  /** The Ingress in front of the Service. */
  ingress?: Ingress;
  /** What a pod does between being told to stop and stopping. Without it, it serves 10 seconds longer, or half of a shorter grace period. */
  drain?: Drain;
  /**
   * Seconds that a pod has to finish what it is doing, drain included.
   * @default 60
   * @integer
   * @minimum 0
   * @maximum 86400
   */
  terminationGracePeriodSeconds?: number;
  /**
   * Whether to make a ServiceMonitor for the Prometheus operator.
   * @default false
   */
  exportPrometheusMetrics?: boolean;
}

/** Configuration of the gateway's server. Extra keys are passed on. */
export interface GatewayConfig {
  [extra: string]: unknown;
  /**
   * Port on which the gateway and the readers talk.
   * @default 3005
   * @integer
   * @minimum 1
   * @maximum 65535
   */
  internalPort?: number;
  /** Whether requests may name images by URL. */
  allowRemoteImages?: boolean;
  /**
   * Milliseconds between two tokens after which a reader counts as lost.
   * @int64
   * @minimum 0
   */
  readerMessageTimeoutMs?: number;
  /** Consumer groups whose requests wait instead of being rejected. */
  reservedConsumers?: string;
  /**
   * The longest prompt, in bytes.
   * @int64
   * @minimum 0
   */
  maxPromptStringBytes?: number;
  /**
   * The most prompts in one request.
   * @int64
   * @minimum 0
   */
  maxUserBatchSize?: number;
  /**
   * The largest body of a request, in bytes.
   * @int64
   * @minimum 0
   */
  bodySizeLimitBytes?: number;
  /**
   * Seconds between two looks for dead readers. 0 means never.
   * @int64
   * @minimum 0
   */
  heartbeatCheckInterval?: number;
}

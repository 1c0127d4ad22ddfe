import type {
  EnvVar,
  Image,
  IngressHost,
  IngressTls,
  LocalObjectReference,
  StringMap,
} from '../../../packages/api/types.ts';
import type { OpenObject } from '../../../packages/lib/json.ts';

/** What the values of chart 0.4.4 say, as far as they are looked into. Numbers may be written as texts. */
export interface ChartValues {
  readonly nameOverride?: string;
  readonly fullnameOverride?: string;
  readonly onwards?: Onwards;
  readonly modelGroups?: Readonly<Record<string, Group>>;
  readonly configMaps?: OpenObject;
  readonly ingress?: ChartIngress;
  readonly networkPolicy?: {
    readonly enabled?: boolean;
    readonly onwards?: OpenObject;
    readonly modelGroups?: OpenObject;
  };
  readonly serviceMonitor?: OpenObject & { readonly enabled?: boolean };
}

export type Numeric = number | string;

/** What the pods of the gateway and of model groups have in common. */
export interface ChartPod {
  readonly image?: Image;
  readonly imagePullSecrets?: readonly LocalObjectReference[];
  readonly replicaCount?: Numeric;
  readonly containerPort?: Numeric;
  readonly env?: EnvVar[];
  readonly resources?: OpenObject;
  readonly podAnnotations?: StringMap;
  readonly podSecurityContext?: OpenObject;
  readonly securityContext?: OpenObject;
  readonly volumes?: OpenObject[];
  readonly volumeMounts?: OpenObject[];
  readonly nodeSelector?: StringMap;
  readonly tolerations?: OpenObject[];
  readonly affinity?: OpenObject;
}

export interface Onwards extends ChartPod {
  readonly serviceAccount?: { readonly create?: boolean; readonly name?: string; readonly annotations?: StringMap };
  readonly service?: { readonly type?: ServiceType; readonly port?: Numeric; readonly nodePort?: Numeric };
  readonly metrics?: {
    readonly enabled?: boolean;
    readonly port?: Numeric;
    readonly prefix?: string;
    readonly service?: { readonly port?: Numeric };
  };
  readonly probes?: {
    readonly path?: string;
    readonly liveness?: ProbeTimes;
    readonly readiness?: ProbeTimes;
  };
  readonly loadBalancer?: { readonly enabled?: boolean };
  readonly extraArgs?: readonly string[];
}

export type ServiceType = 'ClusterIP' | 'NodePort' | 'LoadBalancer';

export interface Group extends ChartPod {
  readonly enabled?: boolean;
  readonly modelAlias?: readonly string[];
  readonly modelName?: string;
  readonly apiKey?: unknown;
  readonly service?: { readonly type?: string; readonly port?: Numeric };
  readonly additionalPorts?: readonly AdditionalPort[];
  readonly strategy?: OpenObject;
  readonly command?: string[];
  readonly args?: string[];
  readonly startupProbe?: ChartProbe;
  readonly livenessProbe?: ChartProbe;
  readonly readinessProbe?: ChartProbe;
  readonly persistentVolumes?: readonly PersistentVolume[];
  readonly serviceAccount?: { readonly create?: boolean };
  readonly initContainers?: OpenObject[];
}

export interface ProbeTimes {
  readonly initialDelaySeconds?: Numeric;
  readonly periodSeconds?: Numeric;
  readonly timeoutSeconds?: Numeric;
  readonly failureThreshold?: Numeric;
}

export interface ChartProbe extends ProbeTimes {
  readonly enabled?: boolean;
  readonly type?: 'http' | 'tcp';
  readonly path?: string;
}

export interface AdditionalPort {
  readonly name: string;
  readonly containerPort: Numeric;
  readonly protocol?: string;
}

export interface PersistentVolume {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly size?: Numeric;
}

export interface ChartIngress {
  readonly enabled?: boolean;
  readonly className?: string;
  readonly annotations?: StringMap;
  readonly hosts?: IngressHost[];
  readonly tls?: IngressTls[];
}

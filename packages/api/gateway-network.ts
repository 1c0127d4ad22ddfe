import type { IntOrString, StringMap } from './pod.ts';

/** The Service in front of the gateway's pods. */
export interface GatewayService {
  /**
   * Type of the Service.
   * @default ClusterIP
   */
  type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  /**
   * Ports of the Service. Without them: http 80 to openai, management 3001, inference 3000 and internal 3005; Onwards: http 80 and metrics 9090.
   * @maxItems 32
   */
  ports?: ServicePort[];
}

/** A port of the Service. Extra fields are passed on. */
export interface ServicePort {
  [extra: string]: unknown;
  /**
   * Name of the port.
   * @minLength 1
   * @maxLength 63
   */
  name?: string;
  /**
   * The port that clients use.
   * @integer
   * @minimum 1
   * @maximum 65535
   */
  port: number;
  /** The container's port, by number or name. Without it, the same number. */
  targetPort?: IntOrString;
  /** Protocol of the port. */
  protocol?: 'TCP' | 'UDP' | 'SCTP';
}

/** The Ingress in front of the gateway's Service. */
export interface Ingress {
  /**
   * Whether to make an Ingress.
   * @default false
   */
  enabled?: boolean;
  /** Class of the Ingress. Empty means the cluster's default. */
  className?: string;
  /** Annotations of the Ingress. */
  annotations?: StringMap;
  /**
   * Hosts that lead to the gateway.
   * @maxItems 100
   */
  hosts?: IngressHost[];
  /**
   * Certificates.
   * @maxItems 100
   */
  tls?: IngressTls[];
}

/** A host of the Ingress. */
export interface IngressHost {
  /** Name of the host. Without it, the rule holds for every host. */
  host?: string;
  /**
   * Paths of the host. Without them: `/` and all below it.
   * @maxItems 100
   */
  paths?: IngressPath[];
}

/** A path of a host. */
export interface IngressPath {
  /**
   * The path.
   * @default /
   * @pattern ^/
   */
  path?: string;
  /**
   * How the path is compared.
   * @default Prefix
   */
  pathType?: 'Exact' | 'Prefix' | 'ImplementationSpecific';
}

/** A certificate of the Ingress. */
export interface IngressTls {
  /**
   * Hosts that the certificate is for.
   * @maxItems 100
   */
  hosts?: string[];
  /** Secret that holds the certificate. */
  secretName?: string;
}

import type { Operator } from '../fleet/operator.ts';
import type { GuardAction } from '../guards/guard-objects.ts';
import type { OlmV1Args } from '../olm/olm-v1.ts';

/** Released operators for one cluster. */
export interface ReleaseArgs {
  /** The cluster of the Kubernetes provider. It is asked what it has before anything is decided. */
  readonly cluster: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined };
  /** The published catalog, as `HOST/PATH@sha256:DIGEST`. */
  readonly catalog: string;
  /** The makers' public key in PEM. With it, a catalog that its holder has not signed is refused. */
  readonly verify?: string | undefined;
  /** Name of the ClusterCatalog, `inference-stack-catalog` by default. */
  readonly catalogName?: string | undefined;
  /** At most one operator per major version; from `stable` where no channel is named. */
  readonly operators: readonly ReleasedOperator[];
  /** Which OLM v1 to install; without it, the default version as it was released. `existing` uses that of the cluster as it is. */
  readonly olm?: 'existing' | ReleasedOlm | undefined;
  /** PEM certificates to trust for the registry, in addition to the system's. */
  readonly registryCa?: string | undefined;
  /** Docker config JSON with the registry's credentials, for this program, OLM and the operators' pods. */
  readonly pullSecret?: string | undefined;
  /** What the cluster does with objects that would break the fleet's rules: `deny` by default. */
  readonly guards?: GuardAction | 'off' | undefined;
  /** Majors whose operator may be removed although stacks still name them. */
  readonly removeMajors?: readonly number[] | undefined;
}

export type ReleasedOperator = Omit<Operator, 'channel'> & Partial<Pick<Operator, 'channel'>>;

/** A release of OLM, and how it is installed. */
export interface ReleasedOlm extends Pick<
  OlmV1Args,
  'images' | 'replicas' | 'resources' | 'proxy' | 'placement' | 'adopt'
> {
  readonly version?: string | undefined;
  /** Path or URL of its manifest, in which `{version}` stands for the version; by default where OLM's releases are. */
  readonly manifest?: string | undefined;
  /** The manifest's SHA-256: any other content is refused. */
  readonly manifestSha256?: string | undefined;
  /** `generated` by default. */
  readonly certificates?: OlmV1Args['certificates'] | undefined;
}

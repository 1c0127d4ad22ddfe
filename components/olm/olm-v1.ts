import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { createHash } from 'node:crypto';
import { refuse } from '../../controller/src/problem.ts';
import { KubernetesObject } from '../kubernetes-object.ts';
import { MANAGED_BY } from '../labels.ts';
import type { CertificateSet } from './certificates.ts';
import {
  AUTHORITY,
  certificateRequests,
  certificatesName,
  checkOneNamespace,
  generationOf,
  withoutCertManager,
  type CertificateRequest,
} from './certificate-requests.ts';
import { expiryOf } from './certificate-expiry.ts';
import { checkExistingOlm, type ExistingOlm } from './existing.ts';
import { parseManifest, type ManifestObject } from './manifest.ts';
import { transformManifest, type OlmSettings } from './transform.ts';

export interface OlmV1Args {
  /** The version that the manifest is of. */
  readonly version: string;
  /** The text of the released manifest, and where it came from, for messages. */
  readonly manifest: { readonly text: string; readonly source: string };
  /** `generated` issues OLM's certificates here and renews them every year; `cert-manager` leaves that to cert-manager. */
  readonly certificates: 'generated' | 'cert-manager';
  /** Images instead of those of the manifest. */
  readonly images?: {
    readonly catalogd?: pulumi.Input<string>;
    readonly operatorController?: pulumi.Input<string>;
  };
  /** Replicas of each controller. */
  readonly replicas?: number;
  /** Resource requests and limits of each controller. */
  readonly resources?: OlmSettings['resources'];
  /** Proxy through which images are pulled. */
  readonly proxy?: OlmSettings['proxy'];
  /** PEM certificates by which the image registry is trusted, beside the system's. */
  readonly registryCa?: string;
  /** Docker config JSON with which images are pulled. */
  readonly pullSecret?: pulumi.Input<string>;
  /**
   * The OLM that the cluster has, from `readExistingOlm`; undefined when it has none or cannot be asked. Never left out:
   * installing over somebody else's would fight with them for every object.
   */
  readonly existing: ExistingOlm | undefined;
  /** Takes over objects that something else applied. */
  readonly adopt?: boolean;
  /** The time by which certificates are issued. */
  readonly now?: Date;
}

const NAMESPACE = 'olmv1-system';

/** Operator Lifecycle Manager v1, from its released manifest, ready when this component is. */
export class OlmV1 extends pulumi.ComponentResource {
  /** The version that is installed. */
  readonly version: pulumi.Output<string>;
  /** When OLM's certificates stop being valid; undefined where cert-manager looks after them. */
  readonly certificatesExpire: pulumi.Output<string | undefined>;

  constructor(name: string, args: OlmV1Args, opts?: pulumi.ComponentResourceOptions) {
    const adopt = args.adopt ?? false;
    refuse(checkExistingOlm(adopt ? 'adopt' : 'install', args.existing));
    super('inference-stack-fleet:olm:OlmV1', name, {}, opts);
    const objects = parseManifest(args.manifest.text, args.manifest.source);
    const requests = certificateRequests(objects);
    if (args.certificates === 'generated') refuse(checkOneNamespace(requests, args.manifest.source));

    const namespaces = objects.filter((object) => object.kind === 'Namespace');
    const labelled = transformManifest(namespaces, {}).map((object) => this.apply(object, adopt, []));
    const issued =
      args.certificates === 'generated' ? this.issue(requests, args.now ?? new Date(), labelled) : undefined;
    const registryCa = args.registryCa === undefined ? undefined : this.trust(args.registryCa, labelled);
    const pullSecret = args.pullSecret === undefined ? undefined : this.pullSecret(args.pullSecret, labelled);

    const rest = objects.filter((object) => object.kind !== 'Namespace');
    const certified = issued === undefined ? rest : withoutCertManager(rest, issued.generation, issued.caBundle);
    const transformed = transformManifest(certified, {
      ...(args.images === undefined ? {} : { images: args.images }),
      ...(args.replicas === undefined ? {} : { replicas: args.replicas }),
      ...(args.resources === undefined ? {} : { resources: args.resources }),
      ...(args.proxy === undefined ? {} : { proxy: args.proxy }),
      ...(registryCa === undefined ? {} : { registryCaConfigMap: registryCa.configMapName }),
      ...(pullSecret === undefined ? {} : { pullSecret: PULL_SECRET }),
    });
    const parts = [issued?.secret, registryCa?.resource, pullSecret].filter((part) => part !== undefined);
    this.applyInOrder(transformed, adopt, [...labelled, ...parts]);

    this.version = pulumi.output(args.version);
    this.certificatesExpire = issued?.expire ?? pulumi.output(undefined);
    this.registerOutputs({ version: this.version, certificatesExpire: this.certificatesExpire });
  }

  /** CRDs and rights first: the controllers exit without them. */
  private applyInOrder(objects: readonly ManifestObject[], adopt: boolean, before: readonly pulumi.Resource[]): void {
    const controllers = objects.filter((object) => object.kind === 'Deployment');
    const others = objects.filter((object) => object.kind !== 'Deployment');
    const applied = others.map((object) => this.apply(object, adopt, before));
    for (const controller of controllers) this.apply(controller, adopt, [...before, ...applied]);
  }

  private apply(object: ManifestObject, adopt: boolean, dependsOn: readonly pulumi.Resource[]): pulumi.Resource {
    const isCrd = object.kind === 'CustomResourceDefinition';
    // A retained CRD is met again by the next install, as an object of another field manager.
    const force: Record<string, string> = adopt || isCrd ? { 'pulumi.com/patchForce': 'true' } : {};
    // The controllers come after their Services, so that waiting for a Service's pods would be in vain.
    const early: Record<string, string> = object.kind === 'Service' ? { 'pulumi.com/skipAwait': 'true' } : {};
    const annotations = { ...object.metadata.annotations, ...force, ...early };
    return new KubernetesObject(
      object.metadata.name,
      { ...object, metadata: { ...object.metadata, annotations } },
      {
        parent: this,
        dependsOn: [...dependsOn],
        // Deleting OLM's CRDs would delete every extension of every team.
        retainOnDelete: isCrd,
      },
    );
  }

  /** The set of certificates of this year. Once issued, it stays in the state as a secret until the next one. */
  private issue(
    requests: readonly CertificateRequest[],
    now: Date,
    dependsOn: pulumi.Resource[],
  ): IssuedCertificates | undefined {
    const [first] = requests;
    if (first === undefined) return undefined;
    const generation = generationOf(requests, now);
    const name = certificatesName(generation);
    const secret = new k8s.core.v1.Secret(
      name,
      {
        metadata: { name, namespace: first.namespace, labels: MANAGED_BY },
        data: pulumi.secret(certificatesIn(requests, now)),
      },
      { parent: this, dependsOn, ignoreChanges: ['data'] },
    );
    const caBundle = pulumi.unsecret(secret.data.apply((data) => data[AUTHORITY] ?? ''));
    // The authority and what it signed are issued together, and expire together.
    const expire = caBundle.apply((ca) => (ca === '' ? undefined : expiryOf(ca).toISOString()));
    return { generation, secret, caBundle, expire };
  }

  private trust(pem: string, dependsOn: pulumi.Resource[]): { configMapName: string; resource: pulumi.Resource } {
    // The name changes with the content, so that the controllers start anew with it.
    const configMapName = `registry-cas-${createHash('sha256').update(pem).digest('hex').slice(0, 8)}`;
    const resource = new k8s.core.v1.ConfigMap(
      configMapName,
      { metadata: { name: configMapName, namespace: NAMESPACE, labels: MANAGED_BY }, data: { 'registry-ca.crt': pem } },
      { parent: this, dependsOn },
    );
    return { configMapName, resource };
  }

  private pullSecret(config: pulumi.Input<string>, dependsOn: pulumi.Resource[]): pulumi.Resource {
    return new k8s.core.v1.Secret(
      PULL_SECRET,
      {
        metadata: { name: PULL_SECRET, namespace: NAMESPACE, labels: MANAGED_BY },
        type: 'kubernetes.io/dockerconfigjson',
        stringData: pulumi.secret({ '.dockerconfigjson': config }),
      },
      { parent: this, dependsOn },
    );
  }
}

/** A preview cannot show certificates, only that there will be some: it issues none, nor loads what issues them. */
function certificatesIn(requests: readonly CertificateRequest[], now: Date): pulumi.Output<CertificateSet> {
  if (pulumi.runtime.isDryRun()) return pulumi.output<CertificateSet>(pulumi.unknown as unknown as CertificateSet);
  return pulumi.output(import('./certificates.ts').then(({ issueCertificates }) => issueCertificates(requests, now)));
}

const PULL_SECRET = 'registry-pull-secret';

interface IssuedCertificates {
  readonly generation: string;
  readonly secret: pulumi.Resource;
  readonly caBundle: pulumi.Output<string>;
  readonly expire: pulumi.Output<string | undefined>;
}

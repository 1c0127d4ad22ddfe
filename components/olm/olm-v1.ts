import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { createHash } from 'node:crypto';
import { refuse } from '../../packages/lib/problem.ts';
import { ManifestResource } from '../manifest-resource.ts';
import { MANAGED_BY } from '../../packages/api/labels.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { childName } from '../child-name.ts';
import { knownLater } from '../later.ts';
import { ROLLED_OUT, ROLLOUT_TIMEOUTS } from '../waits/rollout.ts';
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
import { checkDowngrade, checkExistingOlm, type ExistingOlm } from './existing.ts';
import { checkManifestVersion, extensionDefinition, isSameApi } from './extension-api.ts';
import { namespaceOf, type Manifest, type ManifestObject } from './manifest.ts';
import { placeControllers, type ChosenPlacement, type NodeFacts } from './placement.ts';
import { registriesConf, type RegistryMirror } from './registry-mirrors.ts';
import { transformManifest, type OlmSettings } from './transform.ts';

export interface OlmV1Args {
  /** The version that the manifest is of. */
  readonly version: string;
  /** The released manifest. */
  readonly manifest: Manifest;
  /** `generated` issues OLM's certificates here and renews them every year; `cert-manager` leaves that to cert-manager. */
  readonly certificates: 'generated' | 'cert-manager';
  /** Images instead of those of the manifest. */
  readonly images?: {
    readonly catalogd?: pulumi.Input<string>;
    readonly operatorController?: pulumi.Input<string>;
  };
  /** Replicas of each controller. */
  readonly replicas?: number;
  /** On which nodes the controllers run; without it, where the manifest says, or on any node where no node of the control plane fits. */
  readonly placement?: ChosenPlacement;
  /** Resource requests and limits of each controller. */
  readonly resources?: OlmSettings['resources'];
  /** Proxy through which images are pulled. */
  readonly proxy?: OlmSettings['proxy'];
  /** PEM certificates to trust for the image registry, in addition to the system's. */
  readonly registryCa?: string;
  /** Where copies of images are, by the repositories that images are named by: they are asked first. */
  readonly registryMirrors?: readonly RegistryMirror[];
  /** Docker config JSON with which images are pulled. */
  readonly pullSecret?: pulumi.Input<string>;
  /**
   * The OLM that the cluster has, from `readInstalled`; undefined when it has none or cannot be asked. Never left out:
   * installing over somebody else's would fight with them for every object, and an older one over a newer has no way back.
   */
  readonly existing: ExistingOlm | undefined;
  /**
   * The nodes of the control plane, from `readInstalled`; undefined if listing nodes is not allowed. Never left out: since 1.10 the
   * manifest asks for such a node, and on a managed cluster, which has none, the controllers would wait forever.
   */
  readonly controlPlane: readonly NodeFacts[] | undefined;
  /** Takes over objects that something else applied. */
  readonly adopt?: boolean;
  /** The current time, for issuing certificates. */
  readonly now?: Date;
}

/** Operator Lifecycle Manager v1, from its released manifest, ready when this component is. */
export class OlmV1 extends pulumi.ComponentResource {
  readonly #name: string;
  /** Where the controllers run, and what they mount has to be. */
  readonly #namespace: string;
  /** The version that is installed. */
  readonly version: pulumi.Output<string>;
  /**
   * The version of OLM whose CRD extensions have to match, for their annotation. It is unknown in a preview that
   * changes the CRD: an object with an unknown field is not sent to the API server, which would validate it against the
   * CRD that is about to be replaced.
   */
  readonly extensionApi: pulumi.Output<string>;
  /** When OLM's certificates stop being valid; undefined where cert-manager looks after them. */
  readonly certificatesExpire: pulumi.Output<string | undefined>;
  /** Known when everything that the controllers need is applied, just before the controllers themselves. */
  readonly begun: pulumi.Output<unknown>;
  /** Known when both controllers run. */
  readonly ready: pulumi.Output<unknown>;

  constructor(name: string, args: OlmV1Args, opts?: pulumi.ComponentResourceOptions) {
    const adopt = args.adopt ?? false;
    const { objects, source } = args.manifest;
    refuse([
      ...checkExistingOlm(adopt ? 'adopt' : 'install', args.existing),
      ...checkDowngrade(args.version, args.existing),
      ...checkManifestVersion(args.manifest, args.version),
    ]);
    super('inference-stack-fleet:olm:OlmV1', name, {}, opts);
    this.#name = name;
    this.#namespace = namespaceOf(objects);
    const requests = certificateRequests(objects);
    if (args.certificates === 'generated') refuse(checkOneNamespace(requests, source));

    const namespaces = objects.filter((object) => object.kind === 'Namespace');
    const labelled = transformManifest(namespaces, {}).map((object) => this.apply(object, adopt, []));
    const issued =
      args.certificates === 'generated' ? this.issue(requests, args.now ?? new Date(), labelled) : undefined;
    const registryCa =
      args.registryCa === undefined
        ? undefined
        : this.configMap('registry-cas', { 'registry-ca.crt': args.registryCa }, labelled);
    const { registryMirrors = [] } = args;
    const mirrors =
      registryMirrors.length === 0
        ? undefined
        : this.configMap('registry-mirrors', { 'mirrors.conf': registriesConf(registryMirrors) }, labelled);
    const pullSecret = args.pullSecret === undefined ? undefined : this.pullSecret(args.pullSecret, labelled);

    const rest = objects.filter((object) => object.kind !== 'Namespace');
    const certified = issued === undefined ? rest : withoutCertManager(rest, issued.generation, issued.caBundle);
    const { version, images, replicas, resources, proxy } = args;
    const registryCaConfigMap = registryCa?.configMapName;
    const mirrorsConfigMap = mirrors?.configMapName;
    const placement = this.place(args);
    const settings = { version, placement, images, replicas, resources, proxy, registryCaConfigMap, mirrorsConfigMap };
    const transformed = transformManifest(
      certified,
      definedOnly({ ...settings, pullSecret: pullSecret && PULL_SECRET }),
    );
    const parts = [issued?.secret, registryCa?.resource, mirrors?.resource, pullSecret].filter(
      (part) => part !== undefined,
    );
    const { needed, controllers } = this.applyInOrder(transformed, adopt, [...labelled, ...parts]);

    this.version = pulumi.output(args.version);
    this.extensionApi = changesExtensionApi(args) ? knownLater(() => args.version) : this.version;
    this.certificatesExpire = issued?.expire ?? pulumi.output(undefined);
    this.begun = pulumi.all(needed.map(({ id }) => id));
    this.ready = pulumi.all(controllers.map(({ id }) => id));
    const { extensionApi, certificatesExpire, begun, ready } = this;
    this.registerOutputs({ version: this.version, extensionApi, certificatesExpire, begun, ready });
  }

  /** Where the controllers run. What somebody has to know of it is said. */
  private place({ manifest, placement: chosen = {}, controlPlane, existing }: OlmV1Args): ChosenPlacement {
    const { placement, note } = placeControllers(manifest.objects, chosen, controlPlane, existing?.nodeSelector);
    if (note !== undefined) void pulumi.log.info(note, this);
    return placement;
  }

  /**
   * Applies CRDs and rights first, because the controllers exit without them, and Services and webhooks last: in an
   * upgrade they keep leading to the old pods, by their labels and their authority, until the new ones are ready.
   */
  private applyInOrder(
    objects: readonly ManifestObject[],
    adopt: boolean,
    before: readonly pulumi.Resource[],
  ): { readonly needed: readonly ManifestResource[]; readonly controllers: readonly ManifestResource[] } {
    const applyAll = (stage: Stage, after: readonly pulumi.Resource[]): readonly ManifestResource[] =>
      objects.filter((object) => stageOf(object) === stage).map((object) => this.apply(object, adopt, after));
    const needed = applyAll('needed', before);
    const controllers = applyAll('controllers', [...before, ...needed]);
    applyAll('ways', [...before, ...needed, ...controllers]);
    return { needed, controllers };
  }

  private apply(object: ManifestObject, adopt: boolean, dependsOn: readonly pulumi.Resource[]): ManifestResource {
    const isCrd = object.kind === 'CustomResourceDefinition';
    // The next install finds a retained CRD as an object of another field manager.
    const force: Record<string, string> = adopt || isCrd ? { 'pulumi.com/patchForce': 'true' } : {};
    // The pods behind the Service have already been waited for.
    const early: Record<string, string> = object.kind === 'Service' ? { 'pulumi.com/skipAwait': 'true' } : {};
    const rollout: Record<string, string> =
      object.kind === 'Deployment' ? { 'pulumi.com/waitFor': JSON.stringify(ROLLED_OUT) } : {};
    const annotations = { ...object.metadata.annotations, ...force, ...early, ...rollout };
    return new ManifestResource(
      childName(this.#name, object.metadata.name),
      { ...object, metadata: { ...object.metadata, annotations } },
      {
        parent: this,
        dependsOn: [...dependsOn],
        // Deleting OLM's CRDs would delete every extension of every team.
        retainOnDelete: isCrd,
        ...(object.kind === 'Deployment' ? { customTimeouts: ROLLOUT_TIMEOUTS } : {}),
      },
    );
  }

  /** The set of certificates of this year. Once issued, it stays in the state as a secret until the next one. */
  private issue(
    requests: readonly CertificateRequest[],
    now: Date,
    dependsOn: pulumi.Resource[],
  ): IssuedCertificates | undefined {
    if (requests.length === 0) return undefined;
    const generation = generationOf(requests, now);
    const name = certificatesName(generation);
    const secret = new k8s.core.v1.Secret(
      childName(this.#name, name),
      {
        metadata: { name, namespace: this.#namespace, labels: MANAGED_BY },
        data: pulumi.secret(certificatesIn(requests, now)),
      },
      { parent: this, dependsOn, ignoreChanges: ['data'] },
    );
    const caBundle = pulumi.unsecret(secret.data.apply((data) => data[AUTHORITY] ?? ''));
    // The authority and what it signed are issued together, and expire together.
    const expire = caBundle.apply((ca) => (ca === '' ? undefined : expiryOf(ca).toISOString()));
    return { generation, secret, caBundle, expire };
  }

  private configMap(
    kind: string,
    data: Readonly<Record<string, string>>,
    dependsOn: pulumi.Resource[],
  ): { configMapName: string; resource: pulumi.Resource } {
    // The name changes with the content, so that the controllers restart with it.
    const hash = createHash('sha256').update(Object.values(data).join('\0')).digest('hex');
    const configMapName = `${kind}-${hash.slice(0, 8)}`;
    const resource = new k8s.core.v1.ConfigMap(
      childName(this.#name, configMapName),
      {
        metadata: { name: configMapName, namespace: this.#namespace, labels: MANAGED_BY },
        data,
      },
      { parent: this, dependsOn },
    );
    return { configMapName, resource };
  }

  private pullSecret(config: pulumi.Input<string>, dependsOn: pulumi.Resource[]): pulumi.Resource {
    return new k8s.core.v1.Secret(
      childName(this.#name, PULL_SECRET),
      {
        metadata: { name: PULL_SECRET, namespace: this.#namespace, labels: MANAGED_BY },
        type: 'kubernetes.io/dockerconfigjson',
        stringData: pulumi.secret({ '.dockerconfigjson': config }),
      },
      { parent: this, dependsOn },
    );
  }
}

/** A preview can only show that there will be certificates: it issues none, and does not load the code that does. */
function certificatesIn(requests: readonly CertificateRequest[], now: Date): pulumi.Output<CertificateSet> {
  return knownLater(async () => (await import('./certificates.ts')).issueCertificates(requests, now));
}

/** What the controllers need, the controllers themselves, or what leads requests to them. */
type Stage = 'needed' | 'controllers' | 'ways';

function stageOf({ kind }: ManifestObject): Stage {
  if (kind === 'Deployment') return 'controllers';
  return kind === 'Service' || kind === 'MutatingWebhookConfiguration' ? 'ways' : 'needed';
}

/** Whether the cluster has a CRD that admits other extensions than that of the manifest. */
function changesExtensionApi({ existing, manifest }: OlmV1Args): boolean {
  const wanted = extensionDefinition(manifest.objects);
  return existing?.definition !== undefined && wanted !== undefined && !isSameApi(existing.definition, wanted);
}

const PULL_SECRET = 'registry-pull-secret';

interface IssuedCertificates {
  readonly generation: string;
  readonly secret: pulumi.Resource;
  readonly caBundle: pulumi.Output<string>;
  readonly expire: pulumi.Output<string | undefined>;
}

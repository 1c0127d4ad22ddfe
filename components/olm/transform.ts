import { objectAt } from '../../packages/lib/json.ts';
import { MANAGED_BY } from '../../packages/api/labels.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import {
  controllerOf,
  isDeployment,
  mapPod,
  type Container,
  type ManifestDeployment,
  type ManifestObject,
  type OlmController,
  type PodSpec,
} from './manifest.ts';
import { placePod, type ChosenPlacement } from './placement.ts';
import { OLM_VERSION_ANNOTATION } from './versions.ts';

/** What running OLM in this cluster changes in its released manifest. */
export interface OlmSettings {
  /** The version that the manifest is of; its controllers say so. */
  readonly version?: string;
  /** On which nodes the controllers run. */
  readonly placement?: ChosenPlacement;
  /** Images instead of the manifest's own; values may be outputs of a build. */
  readonly images?: { readonly [controller in OlmController]?: unknown };
  readonly replicas?: number;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly none: readonly string[] };
  /** Name of the ConfigMap with the certificates that the image registry is trusted by. */
  readonly registryCaConfigMap?: string;
  /** Name of the ConfigMap that says where copies of images are. */
  readonly mirrorsConfigMap?: string;
  /** Name of the Secret in OLM's namespace with which images are pulled. */
  readonly pullSecret?: string;
}

const REGISTRY_CAS = '/var/registry-cas';
/** Where the library that OLM pulls images with looks for registries, beside a file that its images do not have. */
const REGISTRIES = '/etc/containers/registries.conf.d';

/**
 * Destinations inside the cluster, which never need a proxy. The API server is addressed by IP address, which the
 * kubelet fills in: every pod has that variable.
 */
const DIRECT = ['localhost', '127.0.0.1', '$(KUBERNETES_SERVICE_HOST)', '.svc', '.svc.cluster.local'];

/** The manifest as it is applied. Pure: the same manifest and settings give the same objects. */
export function transformManifest(
  objects: readonly ManifestObject[],
  settings: OlmSettings,
): readonly ManifestObject[] {
  return objects.map((object) => {
    const labelled = withLabels(object);
    if (isDeployment(labelled)) return transformDeployment(labelled, settings);
    return object.kind === 'PodDisruptionBudget' ? transformBudget(labelled, settings) : labelled;
  });
}

function withLabels<T extends ManifestObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...MANAGED_BY } } };
}

function transformDeployment(deployment: ManifestDeployment, settings: OlmSettings): ManifestDeployment {
  const { metadata, spec } = deployment;
  const { version, replicas, images } = settings;
  const namespace = metadata.namespace ?? 'default';
  const annotations = { ...metadata.annotations, ...definedOnly({ [OLM_VERSION_ANNOTATION]: version }) };
  const changed = {
    ...deployment,
    metadata: { ...metadata, annotations },
    spec: { ...spec, ...definedOnly({ replicas }) },
  };
  return mapPod(changed, (pod) => transformPod(pod, settings, images?.[controllerOf(deployment)], namespace));
}

/** With one replica, a budget that always requires one would keep the node from ever being drained. */
function transformBudget(budget: ManifestObject, { replicas }: OlmSettings): ManifestObject {
  const spec = objectAt(budget['spec']);
  return replicas === 1 && 'minAvailable' in spec ? { ...budget, spec: { ...spec, minAvailable: 0 } } : budget;
}

function transformPod(pod: PodSpec, settings: OlmSettings, image: unknown, namespace: string): PodSpec {
  const { pullSecret, placement = {} } = settings;
  const secret = pullSecret === undefined ? undefined : { name: pullSecret };
  const volumes = mountedMaps(settings).map(({ name, configMap }) => ({ name, configMap: { name: configMap } }));
  return {
    ...placePod(pod, placement),
    ...definedOnly({
      imagePullSecrets: secret && [...(pod.imagePullSecrets ?? []), secret],
      volumes: volumes.length === 0 ? undefined : [...(pod.volumes ?? []), ...volumes],
    }),
    containers: pod.containers.map((container) => transformContainer(container, settings, image, namespace)),
  };
}

function transformContainer(container: Container, settings: OlmSettings, image: unknown, namespace: string): Container {
  const { registryCaConfigMap, pullSecret, resources, proxy } = settings;
  const trusts = registryCaConfigMap !== undefined;
  const args = [
    ...(container.args ?? []).filter((arg) => !(trusts && arg.startsWith('--pull-cas-dir='))),
    ...(trusts ? [`--pull-cas-dir=${REGISTRY_CAS}`] : []),
    ...(pullSecret === undefined ? [] : [`--global-pull-secret=${namespace}/${pullSecret}`]),
  ];
  const mounts = mountedMaps(settings).map(({ name, mountPath }) => ({ name, mountPath, readOnly: true }));
  return {
    ...container,
    args,
    // An image that is being built is known by its digest only later, which the type of a manifest cannot say.
    image: (image ?? container.image) as string,
    ...definedOnly({
      resources,
      env: proxy && [...(container.env ?? []), ...proxyEnvironment(proxy)],
      volumeMounts: mounts.length === 0 ? undefined : [...(container.volumeMounts ?? []), ...mounts],
    }),
  };
}

/** What both controllers read from ConfigMaps, and where. */
function mountedMaps({ registryCaConfigMap, mirrorsConfigMap }: OlmSettings): readonly {
  readonly name: string;
  readonly configMap: string;
  readonly mountPath: string;
}[] {
  return [
    ...(registryCaConfigMap === undefined
      ? []
      : [{ name: 'registry-cas', configMap: registryCaConfigMap, mountPath: REGISTRY_CAS }]),
    ...(mirrorsConfigMap === undefined
      ? []
      : [{ name: 'registry-mirrors', configMap: mirrorsConfigMap, mountPath: REGISTRIES }]),
  ];
}

function proxyEnvironment(proxy: NonNullable<OlmSettings['proxy']>): readonly { name: string; value: string }[] {
  return [
    ...(proxy.http === undefined ? [] : [{ name: 'HTTP_PROXY', value: proxy.http }]),
    ...(proxy.https === undefined ? [] : [{ name: 'HTTPS_PROXY', value: proxy.https }]),
    { name: 'NO_PROXY', value: [...DIRECT, ...proxy.none].join(',') },
  ];
}

import { MANAGED_BY } from '../labels.ts';
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

/** What running OLM in this cluster changes in its released manifest. */
export interface OlmSettings {
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
  /** Name of the Secret in OLM's namespace with which images are pulled. */
  readonly pullSecret?: string;
}

const REGISTRY_CAS = '/var/registry-cas';

/**
 * Where the cluster's own traffic never needs a proxy. The API server is addressed by number; the kubelet puts in which, as
 * every pod has that variable.
 */
const DIRECT = ['localhost', '127.0.0.1', '$(KUBERNETES_SERVICE_HOST)', '.svc', '.svc.cluster.local'];

/** The manifest as it is applied. Pure: the same manifest and settings give the same objects. */
export function transformManifest(
  objects: readonly ManifestObject[],
  settings: OlmSettings,
): readonly ManifestObject[] {
  return objects.map((object) => {
    const labelled = withLabels(object);
    return isDeployment(labelled) ? transformDeployment(labelled, settings) : labelled;
  });
}

function withLabels<T extends ManifestObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...MANAGED_BY } } };
}

function transformDeployment(deployment: ManifestDeployment, settings: OlmSettings): ManifestDeployment {
  const namespace = deployment.metadata.namespace ?? 'default';
  const scaled =
    settings.replicas === undefined
      ? deployment
      : { ...deployment, spec: { ...deployment.spec, replicas: settings.replicas } };
  return mapPod(scaled, (pod) => transformPod(pod, settings, settings.images?.[controllerOf(deployment)], namespace));
}

function transformPod(pod: PodSpec, settings: OlmSettings, image: unknown, namespace: string): PodSpec {
  const { registryCaConfigMap, pullSecret } = settings;
  const volume = { name: 'registry-cas', configMap: { name: registryCaConfigMap } };
  return {
    ...pod,
    ...(pullSecret === undefined ? {} : { imagePullSecrets: [...(pod.imagePullSecrets ?? []), { name: pullSecret }] }),
    ...(registryCaConfigMap === undefined ? {} : { volumes: [...(pod.volumes ?? []), volume] }),
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
  const mount = { name: 'registry-cas', mountPath: REGISTRY_CAS, readOnly: true };
  return {
    ...container,
    args,
    // An image that is being built is known by its digest only later, which the type of a manifest cannot say.
    image: (image ?? container.image) as string,
    ...(resources === undefined ? {} : { resources }),
    ...(proxy === undefined ? {} : { env: [...(container.env ?? []), ...proxyEnvironment(proxy)] }),
    ...(trusts ? { volumeMounts: [...(container.volumeMounts ?? []), mount] } : {}),
  };
}

function proxyEnvironment(proxy: NonNullable<OlmSettings['proxy']>): readonly { name: string; value: string }[] {
  return [
    ...(proxy.http === undefined ? [] : [{ name: 'HTTP_PROXY', value: proxy.http }]),
    ...(proxy.https === undefined ? [] : [{ name: 'HTTPS_PROXY', value: proxy.https }]),
    { name: 'NO_PROXY', value: [...DIRECT, ...proxy.none].join(',') },
  ];
}

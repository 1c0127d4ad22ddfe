import { CONFIG_HASH_ANNOTATION } from '../api/constants.ts';
import type { Application, EnvVar, Image, LocalObjectReference, PodValues } from '../api/types.ts';
import type { Configuration } from './config-map.ts';
import { type Component, type RenderedObject, metaOf } from './model.ts';
import { podLabels } from './names.ts';
import { isObject, type OpenObject } from '../lib/json.ts';
import { definedOnly, present } from '../lib/values.ts';

/** A component's values, as far as they make its pods. */
type ComponentValues = PodValues &
  Pick<Application, 'ports' | 'drain' | 'terminationGracePeriodSeconds'> & { image: Image; env: EnvVar[] };

export interface DeploymentInput {
  readonly component: Component;
  readonly configuration: Configuration;
  readonly values: ComponentValues;
  /** Absent when a scaler sets it. */
  readonly replicas: number | undefined;
  readonly strategy?: OpenObject | undefined;
  /** Tag for an image that names none. */
  readonly defaultTag: string;
  readonly serviceAccountName: string;
  readonly imagePullSecrets?: LocalObjectReference[] | undefined;
  /** Volumes and mounts of the component itself, after the configuration file and before the user's. */
  readonly volumes?: OpenObject[];
  readonly volumeMounts?: OpenObject[];
}

export function deployment(input: DeploymentInput): RenderedObject {
  const { component, configuration, values, replicas, strategy } = input;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metaOf(component),
    spec: definedOnly({
      replicas,
      strategy,
      selector: { matchLabels: component.selector },
      template: {
        metadata: {
          labels: podLabels(component.selector, values.podLabels),
          annotations: { ...values.podAnnotations, [CONFIG_HASH_ANNOTATION]: configuration.hash },
        },
        spec: podSpec(input),
      },
    }),
  };
}

function podSpec(input: DeploymentInput): OpenObject {
  const { component, values } = input;
  return present({
    imagePullSecrets: input.imagePullSecrets,
    serviceAccountName: input.serviceAccountName,
    securityContext: values.podSecurityContext,
    terminationGracePeriodSeconds: values.terminationGracePeriodSeconds,
    priorityClassName: values.priorityClassName,
    runtimeClassName: values.runtimeClassName,
    containers: [container(input)],
    volumes: [
      { name: 'config', configMap: { name: component.objectName } },
      ...(input.volumes ?? []),
      ...(values.volumes ?? []),
    ],
    nodeSelector: values.nodeSelector,
    affinity: values.affinity,
    tolerations: values.tolerations,
    topologySpreadConstraints: spread(values.topologySpreadConstraints, component),
  });
}

function container({ component, values, ...input }: DeploymentInput): OpenObject {
  return present({
    name: component.objectName,
    securityContext: values.securityContext,
    image: imageReference(values.image, input.defaultTag),
    imagePullPolicy: values.image.pullPolicy,
    env: values.env,
    ports: values.ports,
    livenessProbe: values.livenessProbe,
    readinessProbe: values.readinessProbe,
    lifecycle: drainLifecycle(values.drain?.seconds),
    resources: values.resources,
    volumeMounts: [
      { name: 'config', mountPath: '/code/config.yaml', subPath: 'config.yaml' },
      ...(input.volumeMounts ?? []),
      ...(values.volumeMounts ?? []),
    ],
  });
}

export function imageReference(image: Image, defaultTag: string): string {
  const repository = image.repository ?? '';
  if (image.digest !== undefined && image.digest !== '') return `${repository}@${image.digest}`;
  return `${repository}:${image.tag === undefined || image.tag === '' ? defaultTag : image.tag}`;
}

/** The kubelet itself sleeps, so the image needs no shell. */
function drainLifecycle(seconds: number | undefined): OpenObject | undefined {
  return seconds === undefined || seconds === 0 ? undefined : { preStop: { sleep: { seconds } } };
}

function spread(constraints: OpenObject[] | undefined, component: Component): OpenObject[] | undefined {
  return constraints?.map((constraint) =>
    isObject(constraint) && constraint['labelSelector'] === undefined
      ? { ...constraint, labelSelector: { matchLabels: component.selector } }
      : constraint,
  );
}

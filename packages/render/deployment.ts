import type { Application, Drain, EnvVar, Image, LocalObjectReference, PodValues, StringMap } from '../api/types.ts';
import { type Component, type RenderedObject, metaOf } from './model.ts';
import { podLabels } from './names.ts';
import { isObject, type OpenObject } from '../lib/json.ts';
import { definedOnly, present } from '../lib/values.ts';

/** A component's values, as far as they make its pods. */
type ComponentValues = PodValues &
  Pick<Application, 'ports' | 'drain' | 'terminationGracePeriodSeconds'> & { image: Image; env: EnvVar[] };

export interface DeploymentInput {
  readonly component: Component;
  readonly values: ComponentValues;
  /** Absent when a scaler sets it. */
  readonly replicas: number | undefined;
  readonly strategy?: OpenObject | undefined;
  /** Annotations of the Deployment itself. */
  readonly annotations?: StringMap;
  /** Annotations of the pods, besides the user's. */
  readonly podAnnotations?: StringMap;
  /** Tag for an image that names none. */
  readonly defaultTag: string;
  readonly command?: readonly string[] | undefined;
  readonly args?: readonly string[] | undefined;
  /** Name of the component's container, where it is not the component's own. */
  readonly containerName?: string;
  readonly serviceAccountName: string;
  readonly imagePullSecrets?: LocalObjectReference[] | undefined;
  /** Volumes and mounts of the component itself, before the user's. */
  readonly volumes?: readonly OpenObject[];
  readonly volumeMounts?: readonly OpenObject[];
  /** Containers that start before the component's own and before the user's. */
  readonly initContainers?: readonly OpenObject[];
  /** Containers beside the component's own. */
  readonly sidecars?: readonly OpenObject[];
  /** Further fields of the Deployment's spec and of the pod's. */
  readonly spec?: OpenObject;
  readonly podSpec?: OpenObject;
}

export function deployment(input: DeploymentInput): RenderedObject {
  const { component, values, replicas, strategy } = input;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metaOf(component, input.annotations),
    spec: definedOnly({
      replicas,
      strategy,
      ...input.spec,
      selector: { matchLabels: component.selector },
      template: {
        metadata: present({
          labels: podLabels(component.selector, values.podLabels),
          annotations: { ...values.podAnnotations, ...input.podAnnotations },
        }),
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
    ...input.podSpec,
    initContainers: [...(input.initContainers ?? []), ...(values.initContainers ?? [])],
    containers: [container(input), ...(input.sidecars ?? [])],
    volumes: [...(input.volumes ?? []), ...(values.volumes ?? [])],
    nodeSelector: values.nodeSelector,
    affinity: values.affinity,
    tolerations: values.tolerations,
    topologySpreadConstraints: spread(values.topologySpreadConstraints, component),
  });
}

function container({ component, values, ...input }: DeploymentInput): OpenObject {
  return present({
    name: input.containerName ?? component.objectName,
    securityContext: values.securityContext,
    image: imageReference(values.image, input.defaultTag),
    imagePullPolicy: values.image.pullPolicy,
    command: input.command,
    args: input.args,
    env: values.env,
    ports: values.ports,
    livenessProbe: values.livenessProbe,
    readinessProbe: values.readinessProbe,
    startupProbe: values.startupProbe,
    lifecycle: drainLifecycle(values.drain),
    resources: values.resources,
    volumeMounts: [...(input.volumeMounts ?? []), ...(values.volumeMounts ?? [])],
  });
}

/** An image without any tag is left without one: with a colon and nothing behind it, it would be no image at all. */
export function imageReference(image: Image, defaultTag: string): string {
  const repository = image.repository ?? '';
  if (image.digest !== undefined && image.digest !== '') return `${repository}@${image.digest}`;
  const tag = image.tag === undefined || image.tag === '' ? defaultTag : image.tag;
  return tag === '' ? repository : `${repository}:${tag}`;
}

/** The kubelet itself sleeps, so the image needs no shell. */
export function drainLifecycle({ seconds = 0 }: Drain = {}): OpenObject | undefined {
  return seconds === 0 ? undefined : { preStop: { sleep: { seconds } } };
}

function spread(constraints: OpenObject[] | undefined, component: Component): OpenObject[] | undefined {
  return constraints?.map((constraint) =>
    isObject(constraint) && constraint['labelSelector'] === undefined
      ? { ...constraint, labelSelector: { matchLabels: component.selector } }
      : constraint,
  );
}

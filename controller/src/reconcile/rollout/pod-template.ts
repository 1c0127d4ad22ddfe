import type { StringMap } from '../../../../packages/api/types.ts';
import { objectAt, objectsAt, textOf, valueAt, type OpenObject } from '../../../../packages/lib/json.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { REQUIRED } from '../../../../packages/kube/placement/placement.ts';

/** What a Deployment makes its pods from. */
export interface PodTemplate {
  readonly labels: StringMap;
  readonly spec: OpenObject;
}

export function podTemplateOf(deployment: RenderedObject | undefined): PodTemplate {
  const { metadata, spec } = objectAt(deployment, 'spec', 'template');
  return { labels: objectAt(metadata, 'labels') as StringMap, spec: objectAt(spec) };
}

/** Which pods must not run where the pod runs. */
export function antiAffinityOf({ spec }: PodTemplate): OpenObject[] {
  return objectsAt(spec, 'affinity', 'podAntiAffinity', REQUIRED);
}

/** How evenly pods must be spread for one more to be scheduled. */
export function spreadOf({ spec }: PodTemplate): OpenObject[] {
  const constraints = objectsAt(spec, 'topologySpreadConstraints');
  return constraints.filter(({ whenUnsatisfiable = 'DoNotSchedule' }) => whenUnsatisfiable === 'DoNotSchedule');
}

/** Ports of the node that the pod takes, e.g. `8080/TCP`. Init containers that always restart run beside the others. */
export function hostPortsOf({ spec }: PodTemplate): string[] {
  const sidecars = objectsAt(spec, 'initContainers').filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports = [...sidecars, ...objectsAt(spec, 'containers')].flatMap((container) => objectsAt(container, 'ports'));
  return ports.flatMap(({ hostPort, protocol = 'TCP' }) =>
    typeof hostPort === 'number' && hostPort > 0 ? `${hostPort}/${textOf(protocol)}` : [],
  );
}

/** Claims that all pods share. One that lives as long as its pod is not among them. */
export function claimsOf({ spec }: PodTemplate): string[] {
  const names = objectsAt(spec, 'volumes').map((volume) => valueAt(volume, 'persistentVolumeClaim', 'claimName'));
  return [...new Set(names.flatMap((name) => (typeof name === 'string' ? name : [])))];
}

/** Disks that Kubernetes attaches to one node at a time, unless they are only read. */
const DISKS = [
  'awsElasticBlockStore',
  'azureDisk',
  'cinder',
  'fc',
  'gcePersistentDisk',
  'iscsi',
  'photonPersistentDisk',
  'portworxVolume',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
] as const;

export function diskOf({ spec }: PodTemplate): string | undefined {
  const volumes = objectsAt(spec, 'volumes');
  return DISKS.find((disk) => volumes.some((volume) => disk in volume && valueAt(volume, disk, 'readOnly') !== true));
}

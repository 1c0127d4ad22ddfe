import { objectsAt, textAt, type OpenObject } from '../../../packages/lib/json.ts';
import { definedOnly } from '../../../packages/lib/values.ts';
import { writablePlaces } from '../../../packages/render/engines/writable-places.ts';
import type { Group } from './values.ts';

/** The volumes of a group, where its container has them, and the containers that prepare them. */
export interface Storage {
  readonly volumes: OpenObject[];
  readonly volumeMounts: OpenObject[];
  readonly initContainers: OpenObject[];
}

/** The claim that the chart makes for a persistent volume of a group. */
export function claimName(prefix: string, group: string, volume: string): string {
  return `${prefix}-${group}-${volume}`;
}

/** Persistent volumes keep their claims and their places: the operator's own claim would be another one, elsewhere. */
export function storageOf(prefix: string, name: string, group: Group): Storage {
  const { persistentVolumes = [], volumes = [], volumeMounts = [], initContainers = [] } = group;
  const claims = persistentVolumes.map((volume) => ({
    name: volume.name,
    persistentVolumeClaim: { claimName: claimName(prefix, name, volume.name) },
  }));
  const mounts = persistentVolumes.map(({ name, mountPath, subPath }) => definedOnly({ name, mountPath, subPath }));
  const all = [...mounts, ...volumeMounts];
  const added = writablePlaces(undefined, all).volumes.map((volume) => textAt(volume, 'name'));
  return renamed({ volumes: [...claims, ...volumes], volumeMounts: all, initContainers: [...initContainers] }, added);
}

/** Volumes that have the name of one that the operator adds get another. */
export function renamed({ volumes, volumeMounts, initContainers }: Storage, added: readonly string[]): Storage {
  const taken = new Set<unknown>(added);
  const rename = (each: OpenObject): OpenObject =>
    taken.has(each['name']) ? { ...each, name: `chart-${String(each['name'])}` } : each;
  return {
    volumes: volumes.map(rename),
    volumeMounts: volumeMounts.map(rename),
    initContainers: initContainers.map((container) =>
      container['volumeMounts'] === undefined
        ? container
        : { ...container, volumeMounts: objectsAt(container, 'volumeMounts').map(rename) },
    ),
  };
}

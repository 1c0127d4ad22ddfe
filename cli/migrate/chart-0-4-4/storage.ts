import type { OpenObject } from '../../../packages/lib/json.ts';
import { definedOnly } from '../../../packages/lib/values.ts';
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
  return {
    volumes: [...claims, ...volumes],
    volumeMounts: [...mounts, ...volumeMounts],
    initContainers: [...initContainers],
  };
}

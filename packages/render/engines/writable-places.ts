import type { OpenObject } from '../../lib/json.ts';
import { sharedMemory, SHARED_MEMORY_MOUNT } from '../shared-memory.ts';
import { CACHE_FOLDER } from './model-source.ts';

/** Volumes of a pod, and where its container has them. */
export interface Places {
  readonly volumes: readonly OpenObject[];
  readonly volumeMounts: readonly OpenObject[];
}

/**
 * Where an engine may write although its root is read-only. What the user mounts at the same place comes instead: Kubernetes refuses two
 * mounts at one path.
 */
export function writablePlaces(shmSize: string | undefined, given: readonly OpenObject[] = []): Places {
  const places = [
    { volume: { name: 'cache', emptyDir: {} }, mount: { name: 'cache', mountPath: CACHE_FOLDER } },
    { volume: { name: 'tmp', emptyDir: {} }, mount: { name: 'tmp', mountPath: '/tmp' } },
    { volume: sharedMemory(shmSize), mount: SHARED_MEMORY_MOUNT },
  ].filter(({ mount }) => !given.some(({ mountPath }) => mountPath === mount.mountPath));
  return { volumes: places.map(({ volume }) => volume), volumeMounts: places.map(({ mount }) => mount) };
}

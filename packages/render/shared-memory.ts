import type { OpenObject } from '../lib/json.ts';
import { present } from '../lib/values.ts';

export const SHARED_MEMORY_MOUNT = { name: 'dshm', mountPath: '/dev/shm' } as const;

/** Engines exchange tensors in shared memory, of which a container has only 64 MiB by itself. */
export function sharedMemory(sizeLimit: string | undefined): OpenObject & { name: string } {
  return { name: 'dshm', emptyDir: present({ medium: 'Memory', sizeLimit }) };
}

import { isNotFound } from './api-error.ts';
import type { KubernetesObject } from '../object.ts';

/** What a cluster has: a resource that it does not know yet is one without objects. */
export async function optional(request: Promise<KubernetesObject | KubernetesObject[]>): Promise<KubernetesObject[]> {
  try {
    const found = await request;
    return Array.isArray(found) ? found : [found];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

import { isNotFound } from './api-error.ts';
import type { KubernetesObject } from '../object.ts';

/** The objects of a resource; none if the cluster does not know the resource yet. */
export async function optional(request: Promise<KubernetesObject | KubernetesObject[]>): Promise<KubernetesObject[]> {
  try {
    const found = await request;
    return Array.isArray(found) ? found : [found];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

import type { ResourceType } from './object.ts';

export function namespaced(group: string, version: string, kind: string, plural: string): ResourceType {
  return { group, version, kind, plural, namespaced: true };
}

export const CLAIMS = namespaced('', 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims');
export const PODS = namespaced('', 'v1', 'Pod', 'pods');
export const NODES: ResourceType = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

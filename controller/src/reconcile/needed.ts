import { GATEWAY } from '../../../packages/api/names.ts';
import { COMPONENT_LABEL } from '../../../packages/render/names.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';

/** Kinds that pods use for as long as they run, by which others reach them, and which keep the rest away. */
const USED_BY_PODS: ReadonlySet<string> = new Set([
  'ServiceAccount',
  'PersistentVolumeClaim',
  'ConfigMap',
  'Service',
  'NetworkPolicy',
]);

/**
 * Tells whether an object that is no longer wanted is still needed because something could not be applied: its replacement under another
 * name, or a Deployment whose pods still use it. Objects of an application that was removed or switched off are not needed.
 */
export function neededBy(
  unapplied: readonly KubernetesObject[],
  wanted: readonly KubernetesObject[],
): (object: KubernetesObject) => boolean {
  const successors = new Set(wanted.map(partOf));
  const broken = new Set(unapplied.map(componentOf));
  const unchangedPods = new Set(unapplied.filter(({ kind }) => kind === 'Deployment').map(componentOf));
  // Applications reach everything through the gateway, and their pods run under one ServiceAccount, which has no component.
  const shared = broken.has(GATEWAY) || broken.has(undefined);
  return (object) => {
    const component = componentOf(object);
    if (component === undefined) return unapplied.length > 0;
    if (USED_BY_PODS.has(object.kind) && unchangedPods.has(component)) return true;
    return successors.has(partOf(object)) && (shared || broken.has(component));
  };
}

function componentOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.labels?.[COMPONENT_LABEL];
}

function partOf(object: KubernetesObject): string {
  return `${object.kind} of ${componentOf(object) ?? ''}`;
}

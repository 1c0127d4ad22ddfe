import { MANAGED_BY_OPERATOR } from '../api/labels.ts';
import { CHART_NAME, fullName, given, LABEL_LIMIT, type NameOverrides } from '../api/names.ts';
import type { StringMap } from '../api/types.ts';

export const COMPONENT_LABEL = 'app.kubernetes.io/component';

/** The stack that an object is for. */
export const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** The version of the model runtime that a stack's objects were made for. */
export const VERSION_LABEL = 'app.kubernetes.io/version';

/** The value of an application's component label. */
export function applicationComponent(name: string): string {
  return `application-${name}`;
}

/** What the names of all objects of a stack begin with. */
export function namePrefix(stackName: string, overrides: NameOverrides): string {
  return cut(fullName(stackName, overrides));
}

/** The labels by which the workloads of a component are selected. They must never change. */
export function selectorLabels(component: string, stackName: string, { nameOverride }: NameOverrides): StringMap {
  return {
    [COMPONENT_LABEL]: component,
    'app.kubernetes.io/name': cut(given(nameOverride) ?? CHART_NAME),
    [INSTANCE_LABEL]: stackName,
  };
}

/** Labels of pods: no versions among them, since a new label would restart every pod. */
export function podLabels(selector: StringMap, extra: StringMap = {}): StringMap {
  return { ...extra, ...selector, ...MANAGED_BY_OPERATOR };
}

export function objectLabels(selector: StringMap, runtimeVersion: string): StringMap {
  return { ...selector, [VERSION_LABEL]: runtimeVersion, ...MANAGED_BY_OPERATOR };
}

/** The name of one of several containers of a pod: the objects' name, cut where it would be too long. */
export function containerName(objectName: string, role: string): string {
  return `${cut(objectName, LABEL_LIMIT - role.length - 1)}-${role}`;
}

/** Labels that are for the whole stack. */
export function withoutComponent(labels: StringMap): StringMap {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => label !== COMPONENT_LABEL));
}

function cut(name: string, limit = LABEL_LIMIT): string {
  return name.slice(0, limit).replace(/-$/, '');
}

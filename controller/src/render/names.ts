import { MANAGED_BY } from '../api/constants.ts';
import type { StringMap } from '../api/types.ts';

/** The name that the public chart gives itself; it is part of every object's name. */
const CHART_NAME = 'inference-stack';

/** The longest DNS label, and so the longest name of a Service or a container. */
export const LABEL_LIMIT = 63;

/** Suffix of the gateway's objects; no application may have this name. */
export const GATEWAY = 'gateway';

export const COMPONENT_LABEL = 'app.kubernetes.io/component';

export interface NameOverrides {
  readonly nameOverride?: string;
  readonly fullnameOverride?: string;
}

/** What all names of a stack begin with: an existing Helm release of the same name has the same. */
export function fullName(stackName: string, { nameOverride, fullnameOverride }: NameOverrides): string {
  if (isGiven(fullnameOverride)) return cut(fullnameOverride);
  const name = isGiven(nameOverride) ? nameOverride : CHART_NAME;
  return cut(stackName.includes(name) ? stackName : `${stackName}-${name}`);
}

/** The labels by which the workloads of a component are selected. They must never change. */
export function selectorLabels(component: string, stackName: string, { nameOverride }: NameOverrides): StringMap {
  return {
    [COMPONENT_LABEL]: component,
    'app.kubernetes.io/name': cut(isGiven(nameOverride) ? nameOverride : CHART_NAME),
    'app.kubernetes.io/instance': stackName,
  };
}

/** Labels of pods: no versions among them, since a new label would restart every pod. */
export function podLabels(selector: StringMap, extra: StringMap = {}): StringMap {
  return { ...extra, ...selector, 'app.kubernetes.io/managed-by': MANAGED_BY };
}

export function objectLabels(selector: StringMap, runtimeVersion: string): StringMap {
  return { ...selector, 'app.kubernetes.io/version': runtimeVersion, 'app.kubernetes.io/managed-by': MANAGED_BY };
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function cut(name: string): string {
  return name.slice(0, LABEL_LIMIT).replace(/-$/, '');
}

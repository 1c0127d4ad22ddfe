import { isObject, objectAt, objectsAt, type OpenObject } from '../../../../../packages/lib/json.ts';
import { isEmpty, setOwn } from '../../../../../packages/lib/values.ts';
import type { RenderedObject } from '../../../../../packages/render/model.ts';
import type { ValuesCase } from './case.ts';

/** An object of the chart, and the operator's for the same part of the release. */
export interface Pair {
  readonly chart: RenderedObject;
  readonly ours: RenderedObject;
}

/** One way in which the operator's objects differ from the chart's, on purpose. */
export interface Difference {
  /** The heading under which docs/reference/chart-0-4-4-differences.md explains it. */
  readonly title: string;
  /** Makes the two alike as far as this difference goes, and no further. Changes them in place. */
  readonly level: (pair: Pair, valuesCase: ValuesCase) => void;
}

/** The pod of a Deployment, and its first container. */
export interface Workload {
  readonly spec: OpenObject;
  readonly template: OpenObject;
  readonly pod: OpenObject;
  readonly container: OpenObject;
}

export function workloadOf(deployment: RenderedObject): Workload {
  const spec = objectAt(deployment, 'spec');
  const template = objectAt(spec, 'template');
  const pod = objectAt(template, 'spec');
  const [container = {}] = objectsAt(pod, 'containers');
  return { spec, template, pod, container };
}

/** What the gateway's objects have as component, in the chart and here. */
export function isGateway({ metadata }: RenderedObject): boolean {
  return ['onwards', 'gateway', undefined].includes(metadata.labels['app.kubernetes.io/component']);
}

export function forget(holders: readonly OpenObject[], ...keys: readonly string[]): void {
  for (const holder of holders) for (const key of keys) Reflect.deleteProperty(holder, key);
}

/** Takes from ours what only ours has: what both have must be the same. */
export function forgetAdded(theirs: OpenObject, ours: OpenObject, ...keys: readonly string[]): void {
  forget([ours], ...keys.filter((key) => isEmpty(theirs[key])));
}

/** A value without nulls, empty maps and empty lists, which say as much as nothing where both sides have none. */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (!isObject(value)) return value;
  const result: OpenObject = {};
  for (const [key, field] of Object.entries(value)) {
    const tidied = tidy(field);
    if (!isEmpty(tidied)) setOwn(result, key, tidied);
  }
  return result;
}

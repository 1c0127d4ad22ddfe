import yaml from 'js-yaml';
import { CONFIG_HASH_ANNOTATION } from '../../../../packages/api/constants.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { isObject, type OpenObject } from '../../../../packages/lib/json.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith } from '../../../support/people/stacks.ts';
import { ADDED_KINDS, asChartPrints, at, type Difference } from './differences.ts';
import { ANY_HASH } from './pod-differences.ts';

/** The objects of the operator for a stack, by kind and name, in the form in which they can be compared. */
export function rendered(stack: InferenceStack): Record<string, RenderedObject> {
  const ours = render(stack, contextWith()).objects.filter(({ kind }) => !isAdded(kind));
  return byKey(ours.map(comparable));
}

/** A chart's objects for a stack, with every documented difference applied. */
export function expected(
  objects: RenderedObject[],
  { spec, metadata: { namespace = '' } }: InferenceStack,
  differences: readonly Difference[],
): Record<string, RenderedObject> {
  for (const object of objects) {
    for (const difference of differences) difference.apply(object, spec, namespace);
    const text = at(object, 'data', 'config.yaml');
    if (typeof text === 'string') object['data'] = yaml.load(text);
  }
  return byKey(objects);
}

function isAdded(kind: string): boolean {
  return ADDED_KINDS.kinds.some((added) => added === kind);
}

function comparable(object: RenderedObject): RenderedObject {
  const copy = structuredClone(object);
  const text = at(copy, 'data', 'config.yaml');
  if (typeof text === 'string') copy['data'] = readAsChart(yaml.load(text));
  const annotations = at(copy, 'spec', 'template', 'metadata', 'annotations');
  if (isObject(annotations)) annotations[CONFIG_HASH_ANNOTATION] = ANY_HASH;
  return copy;
}

/** Values of server and readers as a reader of the chart's file would find them. */
function readAsChart(config: unknown): OpenObject {
  const { takeoff } = config as { takeoff: { server_config: OpenObject; readers_config: OpenObject | null } };
  const printed = (values: OpenObject): OpenObject =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, asChartPrints(value, yaml.load)]));
  const readers = takeoff.readers_config;
  return {
    takeoff: {
      server_config: printed(takeoff.server_config),
      readers_config:
        readers === null
          ? null
          : Object.fromEntries(Object.entries(readers).map(([key, value]) => [key, printed(value as OpenObject)])),
    },
  };
}

function byKey(objects: RenderedObject[]): Record<string, RenderedObject> {
  return Object.fromEntries(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
}

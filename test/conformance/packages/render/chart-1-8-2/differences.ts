import { DEFAULT_RUNTIME_VERSION } from '../../../../../packages/api/constants.ts';
import type { EnvVar, InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { objectsAt, textAt, type OpenObject } from '../../../../../packages/lib/json.ts';
import type { RenderedObject } from '../../../../../packages/render/model.ts';
import { type Difference, DIFFERENCES } from '../differences.ts';

/** Ways in which the objects of a converted stack differ from those of chart 1.8.2, besides those from the other version. */
export const OWN_DIFFERENCES: readonly Difference[] = [
  {
    title: 'The version label names the runtime',
    apply: ({ metadata }: RenderedObject): void => {
      metadata.labels['app.kubernetes.io/version'] = DEFAULT_RUNTIME_VERSION;
    },
  },
  {
    title: 'No variable twice',
    apply: (object: RenderedObject): void => {
      for (const container of containersOf(object)) {
        const env = container['env'] as EnvVar[];
        container['env'] = env.filter(({ name }, index) => env.findLastIndex((other) => other.name === name) === index);
      }
    },
  },
  {
    title: 'An external engine declares its ports',
    apply: (object: RenderedObject, values: InferenceStackSpec): void => {
      const [engine, sidecar] = containersOf(object);
      const ports = portsOf(object, values);
      if (engine !== undefined && sidecar !== undefined && ports.length > 0) engine['ports'] = ports;
    },
  },
  {
    title: 'Names of containers fit',
    apply: (object: RenderedObject): void => {
      for (const container of containersOf(object)) {
        const name = textAt(container, 'name');
        const role = name.slice(name.lastIndexOf('-'));
        if (name.length > 63) container['name'] = name.slice(0, 63 - role.length) + role;
      }
    },
  },
];

export const DIFFERENCES_1_8_2: readonly Difference[] = [...DIFFERENCES, ...OWN_DIFFERENCES];

function containersOf(object: RenderedObject): OpenObject[] {
  return objectsAt(object, 'spec', 'template', 'spec', 'containers');
}

function portsOf(
  { metadata }: RenderedObject,
  { applications, applicationTemplate }: InferenceStackSpec,
): OpenObject[] {
  const name = metadata.labels['app.kubernetes.io/component']?.replace('application-', '') ?? '';
  return applications?.[name]?.ports ?? applicationTemplate?.ports ?? [];
}

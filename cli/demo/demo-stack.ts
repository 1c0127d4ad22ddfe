import { GROUP } from '../../packages/api/constants.ts';
import type { Image } from '../../packages/api/pod.ts';
import type { InferenceStack } from '../../packages/api/types.ts';
import { validate } from '../../packages/api/validate.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import { objectAt, textAt } from '../../packages/lib/json.ts';

/** The demo runtime that the program has built, from its outputs. */
export function demoRuntime(outputs: unknown): Image {
  const { repository, tag } = objectAt(outputs, 'demoRuntime');
  if (typeof repository === 'string' && typeof tag === 'string') return { repository, tag };
  throw new ProblemsError([{ object: 'outputs', path: 'demoRuntime', message: 'names no repository and tag' }]);
}

/** The images of a stack's pods. */
export interface DemoImages {
  readonly gateway: Image;
  readonly application: Image;
}

/** The stack of an example, with these images for all its pods. */
export function demoStack(text: string, file: string, images: DemoImages): InferenceStack {
  const read = validate(inGroup(readYaml(text, file)));
  if (!read.valid) throw new ProblemsError(read.problems);
  const { gateway, applications = {}, ...spec } = read.stack.spec;
  const all = Object.entries(applications).map(([name, application]) => [
    name,
    { ...application, image: images.application },
  ]);
  return {
    ...read.stack,
    spec: {
      ...spec,
      gateway: { ...gateway, image: images.gateway },
      applications: Object.fromEntries(all) as typeof applications,
    },
  };
}

/** An example in the API group of this process. Examples are written in the default group. */
function inGroup(example: unknown): unknown {
  const version = textAt(example, 'apiVersion').split('/').at(-1) ?? '';
  return { ...objectAt(example), apiVersion: `${GROUP}/${version}` };
}

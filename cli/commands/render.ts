import yaml from 'js-yaml';
import { formatProblem } from '../../packages/lib/problem.ts';
import type { RenderedObject } from '../../packages/render/model.ts';
import { offlineContext } from '../../packages/render/offline-context.ts';
import { render } from '../../packages/render/render.ts';
import type { Io } from '../io.ts';
import { nameOf, readStacks, type StackOptions } from '../stack-input.ts';

/** The options of `fleet render`. */
export interface RenderOptions extends StackOptions {
  readonly output: 'yaml' | 'json';
  /** As on OpenShift. */
  readonly assignedIds?: boolean | undefined;
}

export async function run(options: RenderOptions, io: Io): Promise<number> {
  const objects: RenderedObject[] = [];
  for (const stack of await readStacks(options, io)) {
    const result = render(stack, offlineContext(stack, options.assignedIds));
    objects.push(...result.objects);
    for (const notice of result.notices) io.err(`note: ${formatProblem({ object: nameOf(stack), ...notice })}\n`);
  }
  io.out(options.output === 'json' ? asJson(objects) : asYaml(objects));
  return 0;
}

function asYaml(objects: readonly RenderedObject[]): string {
  return objects.map((object) => `---\n${yaml.dump(object, { noRefs: true, lineWidth: -1 })}`).join('');
}

/** One object that kubectl reads as all of them. */
function asJson(objects: readonly RenderedObject[]): string {
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2)}\n`;
}

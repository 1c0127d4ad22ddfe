import yaml from 'js-yaml';
import { formatProblem } from '../../packages/lib/problem.ts';
import type { RenderedObject } from '../../packages/render/model.ts';
import { offlineContext } from '../../packages/render/offline-context.ts';
import { render } from '../../packages/render/render.ts';
import type { Io } from '../io.ts';
import { nameOf, parseStackOptions, readStacks } from '../stack-input.ts';

const USAGE = `Usage: fleet render -f FILE [-f FILE ...] [options]

Prints the objects that the operator makes for the InferenceStacks of the files (- is standard input).

  -f, --file FILE             a file with one or more stacks
  -n, --namespace NAME        namespace of stacks that name none (default)
      --operator-version V    also check that the operator of this version serves the stacks
  -o, --output yaml|json      how to print (yaml)

Invalid stacks are reported on standard error, all problems with their paths, and nothing is printed.`;

export async function run(args: string[], io: Io): Promise<number> {
  const options = parseStackOptions(args, USAGE);
  const objects: RenderedObject[] = [];
  for (const stack of await readStacks(options, io)) {
    const result = render(stack, offlineContext(stack));
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

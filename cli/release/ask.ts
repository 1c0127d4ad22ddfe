import { join } from 'node:path';
import type { SemVer } from 'semver';
import { OPERATOR_VERSION_LABEL } from '../../packages/api/constants.ts';
import type { InferenceStack } from '../../packages/api/types.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { run } from '../../packages/lib/command.ts';
import { objectsAt, type OpenObject } from '../../packages/lib/json.ts';
import { formatProblem, ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { offlineContext } from '../../packages/render/offline-context.ts';
import { render } from '../../packages/render/render.ts';
import type { Metric, RenderedStack } from './surface.ts';

/** The operator as `make controller-build` packs it: the file that its image has. */
export const CONTROLLER = join(checkout, 'controller', 'dist', 'controller.cjs');

/** What clusters offer, by the folder of the corpus whose stacks are rendered for it. */
export const PLATFORMS: Readonly<Record<string, object>> = {
  kubernetes: { keda: true, serviceMonitor: true, assignsUserIds: false },
  openshift: { keda: false, serviceMonitor: true, assignsUserIds: true },
};

/** A stack to ask about, by its place in the corpus. */
export type Question = Pick<RenderedStack, 'name' | 'stack'>;

/** Asks the packed operator, as the render contract has it, what it makes of stacks. */
export async function askStacks(
  questions: readonly Question[],
  version: SemVer,
  controller = CONTROLLER,
): Promise<RenderedStack[]> {
  const answers: RenderedStack[] = [];
  for (const [platform, capabilities] of Object.entries(PLATFORMS)) {
    const asked = questions.filter(({ name }) => name.startsWith(`${platform}/`));
    const header = { contract: 1, operatorVersion: version.version, capabilities };
    const lines = [header, ...asked.map(({ stack }) => labelled(stack, version))].map((line) => JSON.stringify(line));
    const [, ...said] = await ask('render', controller, lines.join('\n'));
    answers.push(...asked.map((question, index) => answered(question, said[index])));
  }
  return answers;
}

export async function askMetrics(controller = CONTROLLER): Promise<Metric[]> {
  return (await ask('metrics', controller)) as unknown as Metric[];
}

async function ask(mode: string, controller: string, input = ''): Promise<OpenObject[]> {
  // It sees nothing of this environment, as nothing of it would be in a cluster.
  const said = await run(process.execPath, [controller, mode], { input, env: {} });
  return said
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as OpenObject);
}

function answered({ name, stack }: Question, answer: OpenObject | undefined): RenderedStack {
  if (answer === undefined) {
    const remedy = 'Run make controller-build, and look at what it prints.';
    throw new ProblemsError([{ object: name, path: '', message: 'was not answered by the packed operator', remedy }]);
  }
  const problems = objectsAt(answer, 'problems').map((problem) => formatProblem(problem as unknown as Problem));
  const objects = objectsAt(answer, 'objects');
  const defaults = problems.length > 0 ? {} : { defaults: render(stack, offlineContext(stack)).defaults };
  return { name, stack, ...defaults, objects, problems };
}

/** A stack as the version before left it: with the defaults that it got from it. */
export function served({ name, stack, defaults }: RenderedStack): Question {
  return { name, stack: { ...stack, ...(defaults === undefined ? {} : { status: { defaults } }) } };
}

/** The corpus names no version, so that it can be asked of each: people relabel their stacks, too. */
function labelled(stack: InferenceStack, { major }: SemVer): InferenceStack {
  const labels = { ...stack.metadata.labels, [OPERATOR_VERSION_LABEL]: `v${String(major)}` };
  return { ...stack, metadata: { ...stack.metadata, labels } };
}

import { GROUP } from '../../../packages/api/constants.ts';
import { OWNED_KINDS } from '../../../packages/api/kinds.ts';
import { extentOf } from '../../../packages/kube/client/bounded-json.ts';
import { apiVersionOf, type KubernetesObject } from '../../../packages/kube/object.ts';
import { isObject, listAt, objectsAt, textAt, valueAt, type OpenObject } from '../../../packages/lib/json.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { plainText } from '../contained/plain-text.ts';

/** What a version would make of a stack, or why it would leave alone what runs. */
export interface StackAnswer {
  readonly objects: readonly KubernetesObject[];
  /** In plain text, and few. */
  readonly problems: readonly Problem[];
}

/** An answer that is not what the contract says; the message is for people. */
export class BrokenAnswer extends Error {}

/** No stack renders to as much: what is larger is not read at all. */
const BOUNDS = { values: 200_000, depth: 100, objects: 2000, problems: 20, name: 253 } as const;

const KINDS: ReadonlySet<string> = new Set(OWNED_KINDS.map(({ type }) => `${apiVersionOf(type)}/${type.kind}`));

/** Checks the first line of an answer. Throws for a version that does not answer this question. */
export function readHeaderAnswer(line: Buffer): void {
  const answer = parsed(line);
  const [problem] = objectsAt(answer, 'problems').map(readProblem);
  if (problem !== undefined) throw new BrokenAnswer(`refuses the question: ${problem.path} ${problem.message}`.trim());
  if (valueAt(answer, 'contract') !== 1) throw new BrokenAnswer('does not answer as the render contract says');
  const group = textAt(answer, 'api', 'group');
  if (group !== GROUP) throw new BrokenAnswer(`serves the API ${plainText(group)}, not ${GROUP}`);
}

/** Reads the answer about a stack, which nobody has to trust. Throws if it is not one, or not about this stack. */
export function readStackAnswer(
  line: Buffer,
  stack: { readonly key: string; readonly namespace: string },
): StackAnswer {
  const answer = parsed(line);
  if (valueAt(answer, 'stack') !== stack.key) throw new BrokenAnswer(`answers for another stack than ${stack.key}`);
  const objects = listAt(answer, 'objects');
  if (objects.length > BOUNDS.objects) {
    throw new BrokenAnswer(`makes ${String(objects.length)} objects of ${stack.key}`);
  }
  for (const object of objects) checkObject(object, stack);
  const problems = objectsAt(answer, 'problems').slice(0, BOUNDS.problems).map(readProblem);
  return { objects: objects as readonly KubernetesObject[], problems };
}

/** Values are counted before they are parsed: a line of brackets becomes a hundred times its size. */
function parsed(line: Buffer): OpenObject {
  try {
    const { values, depth } = extentOf(line, 0);
    if (values > BOUNDS.values || depth > BOUNDS.depth) throw new BrokenAnswer('prints a line that is too large');
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (isObject(value)) return value;
  } catch (error) {
    if (error instanceof BrokenAnswer) throw error;
  }
  throw new BrokenAnswer('prints something that is not an answer');
}

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

function checkObject(object: unknown, { key, namespace }: { readonly key: string; readonly namespace: string }): void {
  const kind = `${textAt(object, 'apiVersion')}/${textAt(object, 'kind')}`;
  if (!KINDS.has(kind))
    throw new BrokenAnswer(`makes ${plainText(kind)} of ${key}, which no operator of this fleet may make`);
  const name = textAt(object, 'metadata', 'name');
  if (name.length > BOUNDS.name || !NAME.test(name))
    throw new BrokenAnswer(`makes an object of ${key} that has no name`);
  if (textAt(object, 'metadata', 'namespace') !== namespace) {
    throw new BrokenAnswer(`makes an object of ${key} in another namespace`);
  }
}

function readProblem(problem: OpenObject): Problem {
  const { remedy } = problem;
  return {
    path: plainText(textAt(problem, 'path')),
    message: plainText(textAt(problem, 'message')),
    ...(typeof remedy === 'string' ? { remedy: plainText(remedy) } : {}),
  };
}

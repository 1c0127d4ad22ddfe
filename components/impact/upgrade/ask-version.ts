import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { messageOf } from '../../../packages/lib/error.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';
import type { Capabilities } from '../../../packages/render/model.ts';
import { askContained, type UntrustedProgram } from '../contained/ask.ts';
import type { Limits } from '../contained/containment.ts';
import { askedStack, headerLine, stackKeyOf } from './question.ts';
import { BrokenAnswer, readHeaderAnswer, readStackAnswer, type StackAnswer } from './read-answer.ts';

/** A version of the operator that can be asked what it would make of stacks. */
export interface AskableVersion extends UntrustedProgram {
  /** Without `v`. */
  readonly version: string;
}

/** A stack, and what a version says about it. `T` is what is kept of the stack meanwhile. */
export interface Answered<T> {
  readonly stack: T;
  readonly answer: StackAnswer;
}

/**
 * Asks a version what it would make of stacks, as docs/reference/render-contract.md says, and yields its answers in the order of the stacks. It throws
 * problems for a version that breaks off, or does not answer as it should: a part of an answer is none.
 */
export async function* askVersion<T>(
  version: AskableVersion,
  capabilities: Capabilities,
  stacks: AsyncIterable<KubernetesObject>,
  keep: (stack: KubernetesObject) => T,
  limits?: Limits,
): AsyncGenerator<Answered<T>> {
  const waiting: { readonly key: string; readonly namespace: string; readonly kept: T }[] = [];
  async function* question(): AsyncGenerator<string> {
    yield headerLine(version.version, capabilities);
    for await (const stack of stacks) {
      waiting.push({ key: stackKeyOf(stack), namespace: stack.metadata.namespace ?? '', kept: keep(stack) });
      yield JSON.stringify(askedStack(stack));
    }
  }
  const group = process.env['INFERENCE_STACK_API_GROUP'];
  const options = {
    ...(limits === undefined ? {} : { limits }),
    env: group === undefined ? {} : { [GROUP_VARIABLE]: group },
  };
  let first = true;
  for await (const line of askContained(version, ['render'], question(), options)) {
    const expected = first ? undefined : waiting.shift();
    try {
      if (first) readHeaderAnswer(line);
      else if (expected === undefined) throw new BrokenAnswer('answers more than it was asked');
      else yield { stack: expected.kept, answer: readStackAnswer(line, expected) };
    } catch (error) {
      throw error instanceof BrokenAnswer ? broken(version, messageOf(error)) : error;
    }
    first = false;
  }
  if (first || waiting.length > 0) throw broken(version, `does not answer for ${describeLeft(waiting)}`);
}

const GROUP_VARIABLE = 'INFERENCE_STACK_API_GROUP';

function describeLeft(waiting: readonly { readonly key: string }[]): string {
  const [next] = waiting;
  return next === undefined ? 'anything' : `${next.key}, nor for what follows`;
}

function broken({ name }: AskableVersion, message: string): ProblemsError {
  const remedy = 'Its impact is not known. Versions that were released before the render contract cannot be asked.';
  return new ProblemsError([{ object: name, path: '', message, remedy }]);
}

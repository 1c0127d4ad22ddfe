import { INFERENCE_STACK, OPERATOR_VERSION_LABEL, STACK_KINDS } from '../packages/api/constants.ts';
import { decideOwnership, requestProblem } from '../packages/api/operator-version.ts';
import type { InferenceStack } from '../packages/api/types.ts';
import { validate } from '../packages/api/validate.ts';
import { isObject } from '../packages/lib/json.ts';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import { type Document, readDocuments } from './documents.ts';
import type { Io } from './io.ts';

/** The options of commands that look at stacks in files. */
export interface StackOptions {
  readonly file: readonly string[];
  readonly namespace: string;
  readonly operatorVersion?: string | undefined;
}

/** Reads the stacks of all files, or throws with every problem of every one of them. */
export async function readStacks(options: StackOptions, io: Io): Promise<InferenceStack[]> {
  const problems: Problem[] = [];
  const stacks: InferenceStack[] = [];
  for (const document of await readDocuments(options.file, io)) {
    const stranger = strangerProblem(document);
    if (stranger !== undefined) {
      problems.push(stranger);
      continue;
    }
    const result = validate(document.value);
    if (!result.valid) {
      problems.push(...result.problems);
      continue;
    }
    const stack = inNamespace(result.stack, options.namespace);
    problems.push(...ownershipProblems(stack, options.operatorVersion));
    stacks.push(stack);
  }
  refuse(problems);
  return stacks;
}

/** One line about an object that is not a stack; its fields are not checked. */
function strangerProblem({ source, value }: Document): Problem | undefined {
  const remedy = `Only objects of kind ${STACK_KINDS.join(' or ')} are read.`;
  if (!isObject(value)) return { object: source, path: '', value, message: 'holds no object', remedy };
  const { kind, metadata } = value;
  if (typeof kind !== 'string')
    return { object: source, path: 'kind', message: 'is missing', remedy: valuesRemedy(value) ?? remedy };
  if (STACK_KINDS.includes(kind)) return undefined;
  const name = isObject(metadata) && typeof metadata['name'] === 'string' ? ` ${metadata['name']}` : '';
  return { object: source, path: `${kind}${name}`, message: `is not an ${INFERENCE_STACK.kind}`, remedy };
}

/** Somebody who comes from a chart has a file of values. */
function valuesRemedy(value: Readonly<Record<string, unknown>>): string | undefined {
  const isOfChart = ['applications', 'applicationTemplate', 'modelGroups', 'gateway', 'onwards'].some((key) =>
    Object.hasOwn(value, key),
  );
  return isOfChart ? "Turn a chart's values into a stack with fleet migrate --values." : undefined;
}

export function nameOf({ kind, metadata }: InferenceStack): string {
  return `${kind} ${metadata.namespace ?? 'default'}/${metadata.name}`;
}

/** The namespace of the object counts; the option is for objects that have none. */
function inNamespace(stack: InferenceStack, namespace: string): InferenceStack {
  return { ...stack, metadata: { ...stack.metadata, namespace: stack.metadata.namespace ?? namespace } };
}

function ownershipProblems(stack: InferenceStack, operatorVersion: string | undefined): Problem[] {
  const label = stack.metadata.labels?.[OPERATOR_VERSION_LABEL];
  const object = nameOf(stack);
  const unserved = requestProblem(label);
  if (unserved !== undefined) return [{ object, ...unserved }];
  if (operatorVersion === undefined) return [];
  const ownership = decideOwnership(label, operatorVersion);
  if (ownership.kind === 'owned') return [];
  if (ownership.kind !== 'foreign') return [{ object, ...ownership.problem }];
  const message = `asks for major ${String(ownership.request.major)}, which operator ${operatorVersion} does not serve`;
  return [{ object, path: `metadata.labels.${OPERATOR_VERSION_LABEL}`, message }];
}

import semver from 'semver';
import { INFERENCE_STACK, OPERATOR_VERSION_LABEL, STACK_KINDS } from '../packages/api/constants.ts';
import { decideOwnership, requestProblem } from '../packages/api/operator-version.ts';
import type { InferenceStack } from '../packages/api/types.ts';
import { validate } from '../packages/api/validate.ts';
import { isObject } from '../packages/lib/json.ts';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import { podProblems } from '../packages/render/judge/judge.ts';
import { type Document, readDocuments, withoutFolders } from './documents.ts';
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
  const seen = new Map<string, string>();
  for (const document of await readDocuments(await withoutFolders(options.file, io), io)) {
    const stranger = strangerProblem(document);
    if (stranger !== undefined) {
      problems.push(stranger);
      continue;
    }
    const located = (found: readonly Problem[]): Problem[] => found.map((problem) => at(document, problem));
    const result = validate(document.value);
    if (!result.valid) {
      problems.push(...located(result.problems));
      continue;
    }
    const stack = inNamespace(result.stack, options.namespace);
    const object = nameOf(stack);
    problems.push(...located(podProblems(stack).map((problem) => ({ object, ...problem }))));
    problems.push(...located(ownershipProblems(stack, options.operatorVersion)));
    problems.push(...located(duplicateProblems(stack, document, seen)));
    stacks.push(stack);
  }
  refuse(problems);
  return stacks;
}

/** The problem with the file and line that it is about. */
function at({ placeOf }: Document, problem: Problem): Problem {
  return { ...problem, object: `${placeOf(problem.path)}: ${problem.object ?? ''}` };
}

/** The last of two objects would win in the cluster, whoever is meant. Both kinds make objects of the same names. */
function duplicateProblems(stack: InferenceStack, { placeOf }: Document, seen: Map<string, string>): Problem[] {
  const { namespace = 'default', name } = stack.metadata;
  const key = `${namespace}/${name}`;
  const first = seen.get(key);
  if (first === undefined) {
    seen.set(key, placeOf('metadata.name'));
    return [];
  }
  const remedy = 'Give one of them another name or namespace, or leave it out.';
  return [{ object: nameOf(stack), path: 'metadata.name', value: name, message: `is also in ${first}`, remedy }];
}

/** One line about an object that is not a stack; its fields are not checked. */
function strangerProblem({ placeOf, value }: Document): Problem | undefined {
  const source = placeOf('');
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
  const remedy = `Write ${OPERATOR_VERSION_LABEL}: v${String(semver.major(operatorVersion))}, or name an operator of major ${String(ownership.request.major)}.`;
  return [{ object, path: `metadata.labels.${OPERATOR_VERSION_LABEL}`, message, remedy }];
}

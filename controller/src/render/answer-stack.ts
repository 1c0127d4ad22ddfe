import { OPERATOR_VERSION_LABEL } from '../../../packages/api/constants.ts';
import { decideOwnership } from '../../../packages/api/operator-version.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { isObject, objectAt, textAt, valueAt } from '../../../packages/lib/json.ts';
import { refuse, type Problem } from '../../../packages/lib/problem.ts';
import type { RenderedObject } from '../../../packages/render/model.ts';
import { render } from '../../../packages/render/render.ts';
import { keptDefaults } from '../reconcile/kept-defaults.ts';
import { recordedChoices, renderContext } from '../reconcile/render-context.ts';
import { keepStack, stackKey } from '../reconcile/stack-view.ts';
import { gatewayProblem } from '../reconcile/steps/keep.ts';
import { judgeSpec } from '../reconcile/steps/validate.ts';
import type { Header } from './header.ts';

/** What this version would make of a stack. */
export interface StackAnswer {
  readonly objects: readonly RenderedObject[];
  /** What does not keep the stack from being served. */
  readonly notices: readonly Problem[];
}

/** Nothing is known of what runs, beyond what the status of the stack says. */
const NOTHING_LIVE = { owned: { get: () => undefined } };

/**
 * Takes a stack, as the API server has it, through the steps of a reconciliation that need no cluster. Throws the problems for
 * which this version would leave alone what runs.
 */
export function answerStack(value: unknown, { capabilities, operatorVersion }: Header): StackAnswer {
  refuse(objectProblems(value));
  const { stack, excess } = keepStack(value as KubernetesObject);
  if (operatorVersion !== undefined) refuse(ownershipProblems(stack, operatorVersion));
  const { notices, refusal } = judgeSpec(stack, excess);
  if (refusal !== undefined) refuse(refusal.problems);
  const defaults = keptDefaults(stack, NOTHING_LIVE);
  const unsuited = gatewayProblem(stack.spec, defaults.gateway);
  if (unsuited !== undefined) refuse([unsuited]);
  const rendered = render(stack, renderContext(capabilities, defaults, recordedChoices(stack)));
  return { objects: rendered.objects, notices: [...notices, ...rendered.notices] };
}

/** The longest key of a stack: a kind, a namespace and a name. */
const KEY_LIMIT = 400;

/** `Kind/namespace/name`, if the value says so much, whatever else is wrong with it. */
export function keyOf(value: unknown): string | undefined {
  const parts = [textAt(value, 'kind'), textAt(value, 'metadata', 'namespace'), textAt(value, 'metadata', 'name')];
  const [kind = '', namespace = '', name = ''] = parts;
  const key = stackKey(kind, `${namespace}/${name}`);
  return parts.includes('') || key.length > KEY_LIMIT ? undefined : key;
}

const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** What the API server sees to, so that a reconciliation need not. */
function objectProblems(value: unknown): Problem[] {
  if (!isObject(value) || !isObject(value['metadata'])) {
    return [{ path: '', message: 'is not a stack', remedy: 'Write one object of the API a line, with its metadata.' }];
  }
  const { namespace, labels, deletionTimestamp } = value['metadata'];
  const problems: Problem[] = [];
  if (typeof namespace !== 'string' || !NAMESPACE.test(namespace)) {
    problems.push({ path: 'metadata.namespace', value: namespace, message: 'must be the name of a namespace' });
  }
  if (Object.values(objectAt(labels)).some((label) => typeof label !== 'string')) {
    problems.push({ path: 'metadata.labels', message: 'must have texts only' });
  }
  const status = valueAt(value, 'status') ?? {};
  if (!isObject(status)) problems.push({ path: 'status', message: 'must be of type object' });
  if (deletionTimestamp !== undefined) {
    problems.push({
      path: 'metadata.deletionTimestamp',
      message: 'is set: nothing is done for a stack that is deleted',
    });
  }
  return problems;
}

function ownershipProblems({ metadata }: InferenceStack, operatorVersion: string): Problem[] {
  const label = metadata.labels?.[OPERATOR_VERSION_LABEL];
  const ownership = decideOwnership(label, operatorVersion);
  if (ownership.kind === 'owned') return [];
  if (ownership.kind !== 'foreign') return [ownership.problem];
  const message = `asks for an operator of major ${String(ownership.request.major)}, so this one leaves it alone`;
  return [{ path: `metadata.labels.${OPERATOR_VERSION_LABEL}`, value: label, message }];
}

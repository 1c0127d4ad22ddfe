import { INFERENCE_STACK } from '../../packages/api/constants.ts';
import { stackType } from '../../packages/api/kinds.ts';
import { OPERATOR_NAMESPACE, operatorNames } from '../../packages/api/operator-names.ts';
import { parseOperatorRequest } from '../../packages/api/operator-version.ts';
import type { InferenceStack } from '../../packages/api/types.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { isNotFound } from '../../packages/kube/client/api-error.ts';
import { describeObject } from '../../packages/kube/object.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { isRolledOut } from '../waits/rollout.ts';
import { LASTING_MS, steady, type Symptom } from '../waits/symptom.ts';
import { deploymentsOf, deploymentTarget, type DeploymentRef } from '../waits/target.ts';
import { Watcher } from '../waits/watcher.ts';
import { finalAfterMs, labelOf, verdictOf, type Verdict } from './verdict.ts';

/** The stack that is waited for. */
export interface WaitedFor {
  readonly namespace: string;
  readonly name: string;
  /** Distinguishes it from another of the same name, in another cluster or at another time. */
  readonly uid: string;
}

export interface WaitOptions {
  readonly cluster: Pick<Client, 'get' | 'listAll' | 'listEach' | 'raw'>;
  /** Tells people what the stack waits for. */
  readonly say: (line: string) => void;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Waits until the next look. */
  readonly pause: () => Promise<void>;
  readonly limitMs: number;
}

const STACKS = stackType(INFERENCE_STACK);

/**
 * Waits until a stack is ready. Fails as soon as the stack certainly cannot become ready by itself, otherwise when the
 * time is over.
 */
export async function untilReady(ref: WaitedFor, options: WaitOptions): Promise<InferenceStack> {
  const { cluster, say, now, pause, limitMs } = options;
  const object = describeObject({ kind: INFERENCE_STACK.kind, metadata: ref });
  const watcher = new Watcher({ cluster, say, now });
  const begin = now();
  let since = begin;
  let last: Verdict['kind'] | undefined;
  for (;;) {
    const { verdict, stack } = await look(ref, cluster);
    if (verdict.kind === 'ready' && stack !== undefined) return stack;
    if (verdict.kind !== last) since = now();
    last = verdict.kind;
    const operator = verdict.kind === 'unserved' ? operatorOf(stack) : undefined;
    const isFinal = now() - since >= finalAfterMs(verdict, begin) && !(await isStarting(operator, cluster));
    if (isFinal) throw new ProblemsError([{ object, path: '', ...final(verdict, operator) }]);
    if (now() - begin >= limitMs) throw new ProblemsError([{ object, path: '', ...late(verdict, limitMs) }]);
    watcher.add({ name: object, symptoms: () => symptomsOf(object, verdict, operator, cluster) });
    await watcher.look();
    await pause();
  }
}

async function look(
  { uid, ...ref }: WaitedFor,
  cluster: WaitOptions['cluster'],
): Promise<{ readonly verdict: Verdict; readonly stack?: InferenceStack }> {
  try {
    const stack = (await cluster.get(STACKS, ref)) as unknown as InferenceStack;
    return stack.metadata.uid === uid ? { verdict: verdictOf(stack), stack } : { verdict: ELSEWHERE };
  } catch (error) {
    return { verdict: isNotFound(error) ? ELSEWHERE : { kind: 'unreadable', message: messageOf(error) } };
  }
}

const ELSEWHERE: Verdict = { kind: 'gone', message: 'was not found in the cluster' };

/** The Deployment of the operator that a stack asks for. */
function operatorOf(stack: InferenceStack | undefined): DeploymentRef | undefined {
  const request = stack === undefined ? undefined : parseOperatorRequest(labelOf(stack.metadata) ?? '');
  if (request === undefined) return undefined;
  return { namespace: OPERATOR_NAMESPACE, name: operatorNames(request.major).operator };
}

/** An operator that the same update installs needs time to pull its image. */
async function isStarting(operator: DeploymentRef | undefined, cluster: WaitOptions['cluster']): Promise<boolean> {
  if (operator === undefined) return false;
  // Teams often may not read the operators' namespace.
  const found = await deploymentsOf(operator, cluster).catch(() => []);
  return found.some((deployment) => !isRolledOut(deployment));
}

/** What people should know during the wait; for a stack that waits for its operator, also why the operator does not start. */
async function symptomsOf(
  object: string,
  { kind, message }: Verdict,
  operator: DeploymentRef | undefined,
  cluster: WaitOptions['cluster'],
): Promise<readonly Symptom[]> {
  if (kind === 'ready' || kind === 'progressing') return [];
  const stack = { id: steady(message), object, message, patienceMs: LASTING_MS };
  const others =
    operator === undefined
      ? []
      : await deploymentTarget(operator)
          .symptoms(cluster)
          .catch(() => []);
  return [stack, ...others];
}

type Explanation = Pick<Problem, 'message' | 'remedy'>;

function final({ kind, message }: Verdict, operator: DeploymentRef | undefined): Explanation {
  switch (kind) {
    case 'gone':
      return {
        message,
        remedy: 'Check the kubeconfig and the context of the provider, or find out who deleted the stack.',
      };
    case 'unreadable':
      return {
        message: `cannot be checked for readiness: ${message}`,
        remedy: 'Run `up` again when the API server answers.',
      };
    case 'unserved':
      return {
        message,
        remedy:
          `Install that operator, or see whether it runs: kubectl get deployments --namespace=${OPERATOR_NAMESPACE} ${operator?.name ?? ''}`.trimEnd(),
      };
    default:
      return { message: `cannot become ready: ${message}` };
  }
}

function late({ message }: Verdict, limitMs: number): Explanation {
  return {
    message: `is not ready after ${String(limitMs / 60_000)} minutes: ${message.replace(/\.$/, '')}`,
    remedy: 'Run `up` again to keep waiting; `waitMinutes` says for how long.',
  };
}

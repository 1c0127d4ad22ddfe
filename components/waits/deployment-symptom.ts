import { isKilled, podProblem, STARTING, type PodStatus } from '../../packages/kube/pods/pod-problem.ts';
import { podQuestion, READY_TO_START } from '../../packages/kube/pods/pod-question.ts';
import { schedulingProblem } from '../../packages/kube/pods/scheduling-problem.ts';
import { shortened } from '../../packages/lib/message.ts';
import { deploymentView } from '../../packages/kube/pods/deployment-view.ts';
import { describeObject, type KubernetesObject } from '../../packages/kube/object.ts';
import { condition } from '../../packages/kube/conditions.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { isRolledOut } from './rollout.ts';
import { LASTING_MS, SLOW_MS, steady, type Pod, type Symptom } from './symptom.ts';
import { webhookTrouble } from './webhook.ts';

/** What to do about a Deployment's pods: which settings decide where they run, and from which image. */
export interface Advice {
  readonly placement?: string;
  readonly image?: string;
}

/** A text of the API server may be long; its beginning and its end are what helps. */
const REFUSAL_LIMIT = 300;

type Container = NonNullable<PodStatus['containerStatuses']>[number];
type Trouble = Omit<Symptom, 'object'>;

/** Why a Deployment does not become ready, judged by itself and its newest pods; undefined if it is ready, or just starts. */
export function deploymentSymptom(
  deployment: KubernetesObject,
  pods: readonly Pod[],
  advice: Advice = {},
): Symptom | undefined {
  // A Deployment that its controller has not seen yet is about to change.
  if (deploymentView(deployment)?.observed !== true || isRolledOut(deployment)) return undefined;
  const trouble = refusal(deployment) ?? firstTrouble(pods, advice);
  return trouble === undefined ? undefined : { object: describeObject(deployment), ...trouble };
}

/** The API server refuses the pods: because of a quota, of Pod Security, or of a webhook that does not answer. */
function refusal(deployment: KubernetesObject): Trouble | undefined {
  const { status, message } = condition(deployment, 'ReplicaFailure') ?? {};
  if (status !== 'True' || message === undefined) return undefined;
  const webhook = webhookTrouble(message);
  return {
    id: `refused ${steady(message)}`,
    patienceMs: LASTING_MS,
    ...(webhook ?? { message: `its pods are refused: ${shortened(message, REFUSAL_LIMIT)}` }),
  };
}

function firstTrouble(pods: readonly Pod[], advice: Advice): Trouble | undefined {
  for (const pod of pods) {
    const trouble = withoutNode(pod, advice) ?? crash(pod) ?? otherProblem(pod, advice) ?? waiting(pod);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

function withoutNode(pod: Pod, { placement }: Advice): Trouble | undefined {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False') return undefined;
  return definedOnly({
    id: `no node ${scheduled.message ?? ''}`,
    message: schedulingProblem(pod.metadata.name, scheduled.message),
    remedy: placement,
    question: { about: 'nodes' as const, pod },
    patienceMs: LASTING_MS,
  });
}

/** A container that ends by itself, again and again. One that a probe ends says nothing in its log. */
function crash(pod: Pod): Trouble | undefined {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const container = [...initContainerStatuses, ...containerStatuses].find((each) => isCrashed(each) && !isKilled(each));
  if (container === undefined) return undefined;
  const { name, state, lastState, restartCount = 0 } = container;
  const ended = state?.terminated ?? lastState?.terminated;
  const often =
    restartCount === 0
      ? 'ended'
      : `keeps crashing (${restartCount === 1 ? '1 restart' : `${restartCount} restarts`}): ended`;
  const how =
    ended?.reason === 'OOMKilled'
      ? 'for using more memory than its limit (OOMKilled)'
      : `with exit code ${ended?.exitCode ?? 'unknown'}`;
  return {
    // Without the number of restarts, which differs at every look.
    id: `crash ${name} ${ended?.exitCode ?? ''} ${ended?.reason ?? ''}`,
    message: `Pod ${pod.metadata.name}, container ${name}: ${often} ${how}`,
    remedy: `Full log: kubectl logs --namespace=${pod.metadata.namespace ?? ''} ${pod.metadata.name} --container=${name} --previous`,
    question: { about: 'log', pod, container: name, previous: state?.terminated === undefined },
    patienceMs: LASTING_MS,
  };
}

function isCrashed({ ready, state, lastState }: Container): boolean {
  if (state?.terminated !== undefined) return state.terminated.exitCode !== 0;
  const failed = lastState?.terminated !== undefined && lastState.terminated.exitCode !== 0;
  return failed && ready !== true && (state?.running !== undefined || state?.waiting?.reason === 'CrashLoopBackOff');
}

/** Images that cannot be pulled, Secrets that are not there: what the kubelet says, and Events where they say more. */
function otherProblem(pod: Pod, { image }: Advice): Trouble | undefined {
  const message = podProblem(pod.metadata.name, pod.status);
  if (message === undefined) return undefined;
  const question = podQuestion(pod);
  return definedOnly({
    id: message.replaceAll(pod.metadata.name, ''),
    message,
    remedy: message.includes('ErrImagePull') ? image : undefined,
    question: question && { about: 'events' as const, pod: question },
    patienceMs: LASTING_MS,
  });
}

/** Volumes that are not mounted and probes that fail show only in Events. An image that is being pulled is slow, not wrong. */
function waiting(pod: Pod): Trouble | undefined {
  const image = pulledImage(pod);
  if (image !== undefined) {
    return { id: `pulling ${image}`, question: { about: 'pull', pod, image }, patienceMs: SLOW_MS };
  }
  const question = podQuestion(pod);
  if (question === undefined) return undefined;
  return { id: question.problem, question: { about: 'events', pod: question }, patienceMs: SLOW_MS };
}

/** The image that a node pulls for a pod whose volumes and network are there, and of which nothing runs yet. */
function pulledImage({ status }: Pod): string | undefined {
  const { conditions = [], initContainerStatuses = [], containerStatuses = [] } = status ?? {};
  const isSetUp = conditions.some((each) => each.type === READY_TO_START && each.status === 'True');
  const isIdle = !initContainerStatuses.some(({ state }) => state?.running !== undefined);
  if (!isSetUp || !isIdle) return undefined;
  const container = [...initContainerStatuses, ...containerStatuses].find(({ state }) =>
    STARTING.has(state?.waiting?.reason ?? ''),
  );
  return container === undefined ? undefined : (container.image ?? 'its image');
}

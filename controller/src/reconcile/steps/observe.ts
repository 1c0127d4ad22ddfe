import { definedOnly } from '../../../../packages/lib/values.ts';
import type { ApplicationStatus, InferenceStackStatus } from '../../../../packages/api/types.ts';
import type { RenderedApplication, RenderResult } from '../../../../packages/render/model.ts';
import { GATEWAY } from '../../../../packages/api/names.ts';
import { PART_LIMIT, shortened } from '../../../../packages/lib/message.ts';
import { gatewayUrl } from '../../../../packages/render/gateway-url.ts';
import { isGpuResource } from '../../../../packages/render/gpu.ts';
import { applicationComponent } from '../../../../packages/render/names.ts';
import { objectKey } from '../../../../packages/kube/object.ts';
import type { DeploymentView } from '../../../../packages/kube/pods/deployment-view.ts';
import { gatewayDeployment, podsByComponent } from '../live-application.ts';
import { NO_PULL_SECRET } from '../../../../packages/kube/pods/pod-question.ts';
import type { PodView } from '../pod-view.ts';
import type { State, World } from '../state.ts';
import { firstProblem, workloadStatus } from '../workload-status.ts';

export type Observation = Pick<InferenceStackStatus, 'gateway' | 'applications' | 'applicationsReady' | 'gpus' | 'url'>;

/** What the cluster shows of the stack just now. */
export function observe(state: State, world: World): Observation {
  const { rendered, stack } = state;
  const { keepsNames } = state.rollouts;
  if (rendered === undefined) {
    // Nothing was rendered, so there is nothing new to say about what runs.
    const { gateway, applications, applicationsReady, gpus, url } = stack.status ?? {};
    return definedOnly({ gateway, applications, applicationsReady, gpus, url });
  }
  const found = [...podsByComponent(stack, world)];
  const byComponent = new Map(found.map(([component, pods]) => [component, pods.map((pod) => explained(pod, state))]));
  const podsOf = (component: string): readonly PodView[] => byComponent.get(component) ?? [];
  const applications = Object.fromEntries(
    Object.entries(rendered.applications).map(([application, result]) => [
      application,
      applicationStatus(application, result, podsOf(applicationComponent(application)), state, world),
    ]),
  );
  const statuses = Object.values(applications);
  const ready = statuses.filter(({ phase }) => phase === 'Ready' || phase === 'Suspended').length;
  return definedOnly({
    gateway: workloadStatus({
      view: gatewayView(rendered, state, world),
      pods: podsOf(GATEWAY),
      suspended: false,
      hasModel: false,
      missing: state.misplaced.get(GATEWAY),
      held: keepsNames,
    }),
    applications,
    applicationsReady: `${ready}/${statuses.length}`,
    gpus: allGpusInUse(rendered, [...byComponent.values()].flat()),
    url: keepsNames === undefined ? gatewayUrl(rendered) : stack.status?.url,
  });
}

const CAUSE_LIMIT = 115;

/** The pod, with what Events say about it as its problem, or after the problem that it reports itself. */
function explained(pod: PodView, { explanations }: State): PodView {
  const explanation = explanations.get(pod.question?.uid ?? '');
  if (explanation === undefined) return pod;
  const problem = pod.problem ?? `Pod ${pod.question?.name ?? ''} ${pod.question?.problem ?? ''}`;
  // The cause is worth more room than its effect.
  const cause = shortened(explanation, CAUSE_LIMIT);
  // A pull may fail for another reason than the Secret that is missing as well.
  const joint = pod.question?.reason === NO_PULL_SECRET ? '; ' : ': ';
  return { ...pod, problem: `${shortened(problem, PART_LIMIT - cause.length - joint.length)}${joint}${cause}` };
}

function applicationStatus(
  name: string,
  result: RenderedApplication,
  pods: readonly PodView[],
  state: State,
  world: World,
): ApplicationStatus {
  const before = state.stack.status?.applications?.[name];
  const view = applicationView(name, result, state, world);
  const missingGpus = state.plans[name]?.missing;
  const lacksGpus = missingGpus !== undefined;
  const missing = missingGpus ?? state.misplaced.get(applicationComponent(name));
  const held = state.rollouts.held.get(name)?.why;
  const choice = state.rollouts.choices.get(name);
  const rescueDue = state.rollouts.rescueDue.has(name);
  return definedOnly({
    ...workloadStatus({ view, pods, suspended: result.suspended, hasModel: true, missing, lacksGpus, held, rescueDue }),
    gpus: result.gpu === undefined ? undefined : gpusInUse(pods, result.gpu.resourceName),
    nodes: nodesOf(pods),
    model: result.model,
    configHash: result.configHash,
    lastProblem: held ?? firstProblem(pods, missing) ?? before?.lastProblem,
    ...(result.rollout === 'auto'
      ? { rollout: choice?.strategy, rolloutReason: choice?.reason }
      : { rollout: result.rollout, rolloutReason: 'The spec asks for it.' }),
  });
}

/** More names than this help nobody, and every pod that moves would write them all again. */
const MOST_NODES = 100;

function nodesOf(pods: readonly PodView[]): string[] {
  return [...new Set(pods.flatMap(({ node }) => node ?? []))].sort().slice(0, MOST_NODES);
}

/** If only the strategy for replacing pods has changed, what the Deployment said about its pods still holds. */
function applicationView(
  name: string,
  { objectName }: RenderedApplication,
  state: State,
  world: World,
): DeploymentView | undefined {
  const view = deploymentOf(state, objectName, world);
  return view !== undefined && state.rollouts.refreshed.has(name) ? { ...view, observed: true } : view;
}

/** A pod without a node uses none of the GPUs that it asks for. */
function gpusInUse(pods: readonly PodView[], resource: string): number {
  return pods.reduce((sum, { node, devices }) => sum + (node === undefined ? 0 : (devices[resource] ?? 0)), 0);
}

/** Counts all pods: those of an application that was removed hold their GPUs until they end. */
function allGpusInUse({ applications }: RenderResult, pods: readonly PodView[]): number {
  const requested = new Set(Object.values(applications).flatMap(({ gpu }) => gpu?.resourceName ?? []));
  const resources = new Set(pods.flatMap(({ devices }) => Object.keys(devices)));
  const gpus = [...resources].filter((resource) => requested.has(resource) || isGpuResource(resource));
  return gpus.reduce((sum, resource) => sum + gpusInUse(pods, resource), 0);
}

function gatewayView(rendered: RenderResult, state: State, world: World): DeploymentView | undefined {
  const gateway = gatewayDeployment(rendered);
  return gateway && deploymentOf(state, gateway.metadata.name, world);
}

/** Only the stack's own Deployment: one of the same name may be another stack's, or left over from an earlier stack. */
function deploymentOf({ stack }: State, name: string, world: World): DeploymentView | undefined {
  const { namespace, uid } = stack.metadata;
  const deployment = world.owned.get('Deployment', objectKey({ namespace, name }));
  return deployment?.controller?.uid === uid ? deployment?.details : undefined;
}

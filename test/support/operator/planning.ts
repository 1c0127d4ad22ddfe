import assert from 'node:assert/strict';
import type { ApplicationStatus, InferenceStackSpec, InferenceStackStatus } from '../../../packages/api/types.ts';
import type { DeploymentView } from '../../../packages/kube/pods/deployment-view.ts';
import type { DevicesInUse } from '../../../controller/src/reconcile/gpu/devices-in-use.ts';
import type { NodeView } from '../../../packages/kube/placement/node-view.ts';
import { NodeIndex } from '../../../packages/kube/placement/node-index.ts';
import type { PodView } from '../../../controller/src/reconcile/pod-view.ts';
import { ClaimModes } from '../../../controller/src/reconcile/rollout/claim-modes.ts';
import { noDecision } from '../../../controller/src/reconcile/rollout/decide.ts';
import { DEFAULT_PATIENCE } from '../../../controller/src/reconcile/rollout/patience.ts';
import type { State, World } from '../../../controller/src/reconcile/state.ts';
import { keep } from '../../../controller/src/reconcile/steps/keep.ts';
import { plan } from '../../../controller/src/reconcile/steps/plan.ts';
import type { RenderedObject, RolloutStrategy } from '../../../packages/render/model.ts';
import { ApiError } from '../../../packages/kube/client/api-error.ts';
import { silentLogger } from '../../../packages/kube/process/log.ts';
import { turns, type Turn } from '../../../packages/lib/turns.ts';
import { devicesOf, podOn } from '../kubernetes/nodes.ts';
import { stackWith } from '../people/stacks.ts';

/** A stack in a cluster, at the moment of planning. */
export interface Scene {
  readonly spec: InferenceStackSpec;
  readonly name?: string;
  readonly nodes: readonly NodeView[];
  /** Pods of the stack (see `podOf`) and of anybody else. */
  readonly pods?: readonly PodView[];
  /** The rollouts of applications so far; none for new applications. */
  readonly recorded?: Readonly<Record<string, RolloutStrategy>>;
  /** What else the stack's status has. */
  readonly status?: Pick<InferenceStackStatus, 'defaults'>;
  /** The status of Deployments; by default each has all its pods. */
  readonly deployment?: Partial<DeploymentView>;
  /** Whether the pods were made under other names than the stack has now. */
  readonly renamed?: boolean;
  /** Whether a Deployment is as it should be; by default none is. */
  readonly isApplied?: (deployment: RenderedObject) => boolean;
  /** Access modes of the existing claims; undefined if a claim names none. */
  readonly claims?: Readonly<Record<string, readonly string[] | undefined>>;
  readonly devices?: DevicesInUse;
  readonly roomSince?: World['roomSince'];
  readonly now?: number;
  readonly turn?: Turn;
}

/** A pod of an application of the stack `chat`. */
export function podOf(
  application: string,
  node: string | undefined,
  gpus: number,
  more: Partial<PodView> = {},
): PodView {
  return podOn(node, gpus, { stack: 'team-a/chat', component: `application-${application}`, ...more });
}

/** What is decided about a stack. */
export async function planned(scene: Scene): Promise<State> {
  const { spec, name = 'chat', nodes, pods = [], recorded = {}, claims = {}, isApplied = () => false } = scene;
  const stack = stackWith(spec, name);
  const choices = Object.entries(recorded).map(([application, rollout]) => [
    application,
    { rollout, rolloutReason: 'As before.' },
  ]);
  stack.status = { ...scene.status, applications: Object.fromEntries(choices) as Record<string, ApplicationStatus> };
  const replicas = Math.max(...Object.values(spec.applications ?? {}).map(({ replicaCount = 1 }) => replicaCount));
  const counts = { replicas, readyReplicas: replicas, updatedReplicas: replicas, totalReplicas: replicas };
  const view = { ...counts, availableReplicas: replicas, begun: true, observed: true, ...scene.deployment };
  const state = {
    turn: scene.turn ?? turns.begin(),
    stack,
    draft: {},
    conditions: new Map(),
    misplaced: new Map(),
    events: [],
    plans: {},
    rollouts: noDecision(),
  } as unknown as State;
  const get = (_type: unknown, ref: { name: string }): Promise<object> => {
    return Object.hasOwn(claims, ref.name)
      ? Promise.resolve({ spec: { accessModes: claims[ref.name] } })
      : Promise.reject(new ApiError('GET', 404, { reason: 'NotFound' }));
  };
  const world = {
    capabilities: () => ({ keda: false, serviceMonitor: false, assignsUserIds: false }),
    nodes: () => new NodeIndex(nodes),
    devices: scene.devices ?? devicesOf(pods),
    pods: { byIndex: (_index: string, key: string) => pods.filter((pod) => pod.stack === key) },
    owned: { get: () => (Object.keys(recorded).length === 0 || scene.renamed ? undefined : { details: view }) },
    applier: { isApplied: (deployment: RenderedObject) => isApplied(deployment) },
    claimModes: new ClaimModes({ get } as unknown as ConstructorParameters<typeof ClaimModes>[0], silentLogger),
    roomSince: scene.roomSince ?? new Map(),
    patience: DEFAULT_PATIENCE,
    now: () => new Date(scene.now ?? 0),
  };
  assert.equal(keep(state, world as unknown as World), 'next');
  await plan(state, world as unknown as World);
  return state;
}

/** The strategies that are chosen, by application. */
export async function strategiesOf(scene: Scene): Promise<Record<string, RolloutStrategy>> {
  const { rollouts } = await planned(scene);
  return Object.fromEntries([...rollouts.choices].map(([name, { strategy }]) => [name, strategy]));
}

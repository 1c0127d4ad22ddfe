import type { InferenceStack, InferenceStackStatus } from '../../../packages/api/types.ts';
import type { EffectiveSpec } from '../../../packages/render/effective.ts';
import type { Capabilities, RenderedObject, RenderResult } from '../../../packages/render/model.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import type { Applier } from '../../../packages/kube/apply/applier.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { ConditionInput } from '../../../packages/kube/conditions.ts';
import type { EventInput, EventRecorder } from '../../../packages/kube/events.ts';
import type { LabelSelector } from '../../../packages/kube/label-selector.ts';
import type { LeaseWatch } from '../../../packages/kube/lease/lease-watch.ts';
import type { Logger } from '../../../packages/kube/process/log.ts';
import type { ResourceType } from '../../../packages/kube/object.ts';
import type { OwnedKinds } from '../../../packages/kube/apply/owned.ts';
import type { Store } from '../../../packages/kube/watch/store.ts';
import type { Turn } from '../../../packages/lib/turns.ts';
import type { Rival, Self } from './claim.ts';
import type { DevicesInUse } from './gpu/devices-in-use.ts';
import type { GpuPlan, Slot } from './gpu/plan.ts';
import type { IngressClasses } from './ingress-classes.ts';
import type { LiveDeployment } from './live-deployment.ts';
import type { NodeIndex } from '../../../packages/kube/placement/node-index.ts';
import type { PodEvents } from '../../../packages/kube/pods/pod-events.ts';
import type { PodView } from './pod-view.ts';
import type { ClaimModes } from './rollout/claim-modes.ts';
import type { Decision } from './rollout/decide.ts';
import type { Patience } from './rollout/patience.ts';

/** What all reconciliations share: the cluster as it is seen, and the ways to change it. */
export interface World {
  readonly self: Self;
  readonly client: Client;
  readonly owned: OwnedKinds<LiveDeployment>;
  readonly applier: Applier;
  readonly pods: Store<PodView>;
  readonly podEvents: PodEvents;
  readonly ingressClasses: IngressClasses;
  readonly nodes: () => NodeIndex;
  readonly devices: DevicesInUse;
  readonly claimModes: Pick<ClaimModes, 'exclusive'>;
  /** By the stack's key, and then by application: since when there has been room that its present strategy does not use. */
  readonly roomSince: Map<string, ReadonlyMap<string, number>>;
  readonly patience: Patience;
  readonly leases: LeaseWatch;
  /** How long a Lease lasts without being renewed. */
  readonly leaseMs: number;
  readonly capabilities: () => Capabilities;
  /** What the labels of a kind's stacks must match besides naming this operator. */
  readonly selectorOf: (type: ResourceType) => LabelSelector | undefined;
  /** Stacks of the same name in other kinds. */
  readonly namesakesOf: (stack: InferenceStack) => readonly InferenceStack[];
  /** Puts a stack as the API server answered it into the store. */
  readonly remember: (stack: InferenceStack) => void;
  readonly events: Pick<EventRecorder, 'record'>;
  /** By the stack's key: statuses that the API server did not store as they were sent, and what it stored. */
  readonly prunedStatuses: Map<string, { wanted: InferenceStackStatus; stored: InferenceStackStatus | undefined }>;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** One reconciliation of one stack, filled in step by step. */
export interface State {
  readonly type: ResourceType;
  /** Asked after each part that may take long. */
  readonly turn: Turn;
  /** As last read or written; replaced after each write of its status. */
  stack: InferenceStack;
  /** Why its spec is too large to be served, if it is. */
  readonly excess: readonly Problem[];
  /** What the status will say about claim, defaults and inventory. */
  draft: Pick<InferenceStackStatus, 'claim' | 'defaults' | 'inventory'>;
  spec?: EffectiveSpec;
  rendered?: RenderResult;
  plans: Record<string, GpuPlan>;
  /** By component: what keeps its pods from every node, where the GPUs are not to blame. */
  readonly misplaced: Map<string, string>;
  /** What was reserved for it when this reconciliation began. */
  reservedBefore?: readonly Slot[];
  /** What becomes of the pods of the applications. */
  rollouts: Decision;
  /** Conditions by type; what is not set here is worked out in the report. */
  readonly conditions: Map<string, ConditionInput>;
  /** Events that are recorded once the next write of the status has made them true. */
  readonly events: EventInput[];
  /** What the user should know although the stack is served. */
  readonly notices: Problem[];
  /** Failures that did not stop the others, such as objects that the API server refused. */
  readonly failures: Error[];
  /** The failure of the API server that ended this reconciliation early; a later try may succeed. */
  interruption?: Error;
  /** What could not be applied, for whatever reason. */
  readonly unapplied: RenderedObject[];
  /** Objects of an earlier stack of the same name. This stack's are made as soon as those have gone. */
  readonly leftovers: Error[];
  /** By the pod's uid: what Events say about pods that do not say themselves what they wait for. */
  readonly explanations: Map<string, string>;
  requeueAfterMs?: number;
  /** The operator that keeps us from the stack, if there is one. */
  rival?: Rival;
}

/** Whether the next step is to run, or only the report. */
export type Outcome = 'next' | 'report' | 'stop';

/** One named part of a reconciliation. */
export interface Step {
  readonly name: string;
  readonly run: (state: State, world: World) => Promise<Outcome> | Outcome;
}

export function setCondition(
  state: State,
  type: string,
  status: ConditionInput['status'],
  reason: string,
  message: string,
): void {
  state.conditions.set(type, { type, status, reason, message });
}

/** Schedules another look at the stack, after this time at the latest. */
export function lookAgainAfter(state: State, ms: number): void {
  state.requeueAfterMs = Math.min(state.requeueAfterMs ?? ms, ms);
}

import type { WorkloadStatus } from '../../../packages/api/types.ts';
import { PHASES_WORST_FIRST } from '../../../packages/api/phases.ts';
import { names, sentences } from '../../../packages/lib/message.ts';
import type { ConditionInput } from '../../../packages/kube/conditions.ts';
import type { GpuPlan } from './gpu/plan.ts';
import type { Observation } from './steps/observe.ts';

/** What the steps before have found out: conditions by type, what could not be applied, and which GPUs are missing. */
export interface Findings {
  readonly conditions: ReadonlyMap<string, ConditionInput>;
  readonly failures: readonly Error[];
  /** What the API server has failed to do for a while. */
  readonly interruption?: Error | undefined;
  /** What is still there of an earlier stack of the same name. */
  readonly leftovers?: readonly Error[];
  readonly plans: Readonly<Record<string, Pick<GpuPlan, 'missing'>>>;
}

/**
 * All conditions of a stack, in the order in which a person reads them. `Ready`, `Stalled` and `observedGeneration` mean
 * what kstatus and `kubectl wait` take them to mean.
 */
export function summarize(findings: Findings, observation: Observation): ConditionInput[] {
  const { conditions, failures, interruption, leftovers = [], plans } = findings;
  const accepted = conditions.get('Accepted') ?? unknown('Accepted');
  const gpus = conditions.get('GPUsAvailable') ?? unknown('GPUsAvailable');
  const gateway = gatewayReady(observation.gateway);
  const applications = applicationsReady(observation.applications);
  const stalled = stalledBy(accepted, findings, observation);
  const missing = Object.values(plans).flatMap((plan) => plan.missing ?? []);
  const blocked = accepted.status !== 'True' || failures.length > 0;
  const ready = blocked
    ? notReady(accepted, stalled)
    : (interruptedBy(interruption) ??
      waitingForCleanup(leftovers) ??
      readyFrom(workloads(observation), missing, gpus, stalled));
  const occasional = ['OptionalAPIsAvailable', 'Pruned'].flatMap((type) => conditions.get(type) ?? []);
  return [accepted, gpus, ...occasional, gateway, applications, ready, progressingFrom(ready, stalled), stalled];
}

function gatewayReady(gateway: WorkloadStatus | undefined): ConditionInput {
  if (gateway === undefined) return unknown('GatewayReady');
  const { phase = 'Progressing', message = '' } = gateway;
  return phase === 'Ready'
    ? { type: 'GatewayReady', status: 'True', reason: 'Ready', message }
    : { type: 'GatewayReady', status: 'False', reason: phase, message };
}

function applicationsReady(applications: Readonly<Record<string, WorkloadStatus>> | undefined): ConditionInput {
  if (applications === undefined) return unknown('ApplicationsReady');
  const entries = Object.entries(applications);
  const waiting = entries.filter(isWaiting);
  if (waiting.length === 0) {
    return { type: 'ApplicationsReady', status: 'True', reason: 'Ready', message: allReady(entries.length) };
  }
  const message = sentences(described(mostUrgent(waiting)));
  return { type: 'ApplicationsReady', status: 'False', reason: worstPhase(waiting), message };
}

function allReady(applications: number): string {
  if (applications === 0) return 'The stack has no applications.';
  return applications === 1 ? 'The application is ready.' : `All ${applications} applications are ready.`;
}

/** Stalled means that nothing will change until a person does something. */
function stalledBy(accepted: ConditionInput, findings: Findings, observation: Observation): ConditionInput {
  const { failures, interruption } = findings;
  const stalled = (reason: string, message: string): ConditionInput => ({
    type: 'Stalled',
    status: 'True',
    reason,
    message,
  });
  if (accepted.status === 'False') return stalled(accepted.reason, accepted.message);
  if (failures.length > 0) return stalled('ApplyRefused', sentences(failures.map(({ message }) => message)));
  const failed = workloads(observation).filter(([, { phase }]) => phase === 'Failed');
  if (failed.length > 0) {
    return stalled('RolloutFailed', sentences(described(failed)));
  }
  const waits = interruption !== undefined || workloads(observation).some(isTroubled);
  const message = waits ? 'The stack may still become ready by itself.' : 'Nothing stands in the way.';
  return { type: 'Stalled', status: 'False', reason: 'NotStalled', message };
}

/** Before anything can run, a person has to act. */
function notReady(accepted: ConditionInput, stalled: ConditionInput): ConditionInput {
  return { ...(stalled.status === 'True' ? stalled : accepted), type: 'Ready', status: 'False' };
}

/** It is tried again and again, and goes on by itself as soon as the API server can do it. */
function interruptedBy(interruption: Error | undefined): ConditionInput | undefined {
  if (interruption === undefined) return undefined;
  return { type: 'Ready', status: 'False', reason: 'APIServerError', message: sentences([interruption.message]) };
}

/** A stack that was deleted and made again passes through this, and needs nobody. */
function waitingForCleanup(leftovers: readonly Error[]): ConditionInput | undefined {
  if (leftovers.length === 0) return undefined;
  const message = sentences(leftovers.map((leftover) => leftover.message));
  return { type: 'Ready', status: 'False', reason: 'WaitingForCleanup', message };
}

/** A GPU that no node has comes first, before anything else that is not ready: waiting does not help there. */
function readyFrom(
  all: readonly NamedWorkload[],
  missing: readonly string[],
  gpus: ConditionInput,
  stalled: ConditionInput,
): ConditionInput {
  const type = 'Ready';
  const waiting = all.filter(isWaiting);
  if (waiting.length === 0) {
    return { type, status: 'True', reason: 'Ready', message: 'The gateway and all applications are ready.' };
  }
  const reported = new Set(missing);
  const others = waiting.filter(([, { message = '' }]) => !reported.has(message));
  if (missing.length > 0) {
    const message = sentences([...missing, ...described(others.filter(isTroubled))]);
    return { type, status: 'False', reason: gpus.reason, message };
  }
  const reason = stalled.status === 'True' ? stalled.reason : worstPhase(waiting);
  return { type, status: 'False', reason, message: sentences(described(mostUrgent(others))) };
}

type NamedWorkload = readonly [name: string, status: WorkloadStatus];

function workloads({ gateway = {}, applications }: Observation): readonly NamedWorkload[] {
  return Object.entries({ gateway, ...applications });
}

function isWaiting([, { phase }]: NamedWorkload): boolean {
  return phase !== 'Ready' && phase !== 'Suspended';
}

function isTroubled([, { phase }]: NamedWorkload): boolean {
  return phase === 'Waiting' || phase === 'Failed';
}

/** Leaves out workloads that are just starting when others are in trouble. The worst come first. */
function mostUrgent(waiting: readonly NamedWorkload[]): readonly NamedWorkload[] {
  const troubled = waiting.filter(isTroubled);
  const rank = ([, { phase }]: NamedWorkload): number => PHASES_WORST_FIRST.findIndex((worse) => worse === phase);
  return (troubled.length > 0 ? troubled : waiting).toSorted((a, b) => rank(a) - rank(b));
}

function worstPhase(waiting: readonly NamedWorkload[]): string {
  const phases = new Set(waiting.map(([, { phase = 'Progressing' }]) => phase));
  return PHASES_WORST_FIRST.find((phase) => phases.has(phase)) ?? 'Progressing';
}

/** Room for the names of those that share a message, where others have another. */
const NAMES_BESIDE_OTHERS = 40;

/** A message that several workloads share is said once. */
function described(workloads: readonly NamedWorkload[]): string[] {
  const alike = Map.groupBy(workloads, ([, { message = '' }]) => message);
  const room = alike.size > 1 ? NAMES_BESIDE_OTHERS : undefined;
  return [...alike].map(([message, members]) => {
    const who = names(
      members.map(([name]) => name),
      room,
    );
    // Some messages name the workload themselves.
    const named = [`Application ${who} `, `The ${who} `].some((beginning) => message.startsWith(beginning));
    return named ? message : `${who}: ${message}`;
  });
}

function progressingFrom(ready: ConditionInput, stalled: ConditionInput): ConditionInput {
  const type = 'Progressing';
  if (stalled.status === 'True') return { ...stalled, type, status: 'False' };
  if (ready.status === 'True')
    return { type, status: 'False', reason: 'Settled', message: 'Everything is as the spec says.' };
  return { type, status: 'True', reason: ready.reason, message: ready.message };
}

function unknown(type: string): ConditionInput {
  return { type, status: 'Unknown', reason: 'NotChecked', message: 'Not checked yet: a condition above is not met.' };
}

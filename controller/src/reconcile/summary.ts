import type { WorkloadStatus } from '../api/types.ts';
import { sentences } from '../message.ts';
import type { ConditionInput } from '../runtime/conditions.ts';
import type { GpuPlan } from './gpu/plan.ts';
import type { Observation } from './steps/observe.ts';

/** What the steps before have found out: conditions by type, what could not be applied, and which GPUs are missing. */
export interface Findings {
  readonly conditions: ReadonlyMap<string, ConditionInput>;
  readonly failures: readonly Error[];
  readonly plans: Readonly<Record<string, Pick<GpuPlan, 'missing'>>>;
}

/**
 * All conditions of a stack, in the order in which a person reads them. `Ready`, `Stalled` and `observedGeneration` mean
 * what kstatus and `kubectl wait` take them to mean.
 */
export function summarize({ conditions, failures, plans }: Findings, observation: Observation): ConditionInput[] {
  const accepted = conditions.get('Accepted') ?? unknown('Accepted');
  const gpus = conditions.get('GPUsAvailable') ?? unknown('GPUsAvailable');
  const gateway = gatewayReady(observation.gateway);
  const applications = applicationsReady(observation.applications ?? {});
  const stalled = stalledBy(accepted, failures, observation);
  const first = readyFrom([accepted, gateway, applications], stalled);
  const missing = Object.values(plans).flatMap((plan) => plan.missing ?? []);
  const ready = failures.length === 0 ? gpusFirst(first, gpus, missing, workloads(observation)) : first;
  const optional = conditions.get('OptionalAPIsAvailable');
  return [
    accepted,
    gpus,
    ...(optional === undefined ? [] : [optional]),
    gateway,
    applications,
    ready,
    progressingFrom(ready, stalled),
    stalled,
  ];
}

function gatewayReady(gateway: WorkloadStatus | undefined): ConditionInput {
  const { phase = 'Progressing', message = 'Nothing is known of the gateway yet.' } = gateway ?? {};
  return phase === 'Ready'
    ? { type: 'GatewayReady', status: 'True', reason: 'Ready', message }
    : { type: 'GatewayReady', status: 'False', reason: phase, message };
}

function applicationsReady(applications: Readonly<Record<string, WorkloadStatus>>): ConditionInput {
  const entries = Object.entries(applications);
  const waiting = entries.filter(isWaiting);
  if (waiting.length === 0) {
    const message =
      entries.length === 0 ? 'The stack has no applications.' : `All ${entries.length} applications are ready.`;
    return { type: 'ApplicationsReady', status: 'True', reason: 'Ready', message };
  }
  const worst = waiting.find(([, { phase }]) => phase === 'Failed') ?? waiting[0];
  const message = sentences(waiting.map(described));
  return { type: 'ApplicationsReady', status: 'False', reason: worst?.[1].phase ?? 'Progressing', message };
}

/** Stalled means that nothing will change until a person does something. */
function stalledBy(accepted: ConditionInput, failures: readonly Error[], observation: Observation): ConditionInput {
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
    return stalled('RolloutFailed', sentences(failed.map(described)));
  }
  return { type: 'Stalled', status: 'False', reason: 'NotStalled', message: 'Nothing stands in the way.' };
}

function readyFrom(needed: readonly ConditionInput[], stalled: ConditionInput): ConditionInput {
  if (stalled.status === 'True') return { ...stalled, type: 'Ready', status: 'False' };
  const missing = needed.find(({ status }) => status !== 'True');
  if (missing === undefined) {
    return { type: 'Ready', status: 'True', reason: 'Ready', message: 'The gateway and all applications are ready.' };
  }
  return { type: 'Ready', status: 'False', reason: missing.reason, message: missing.message };
}

/** Nobody waits out a GPU that no node has: that comes first, before what else is not ready yet. */
function gpusFirst(
  ready: ConditionInput,
  { reason }: ConditionInput,
  missing: readonly string[],
  all: readonly NamedWorkload[],
): ConditionInput {
  if (ready.status === 'True' || missing.length === 0) return ready;
  const others = all.filter(isWaiting).filter(([, { message = '' }]) => !missing.includes(message));
  return { ...ready, reason, message: sentences([...missing, ...others.map(described)]) };
}

type NamedWorkload = readonly [name: string, status: WorkloadStatus];

function workloads({ gateway = {}, applications }: Observation): readonly NamedWorkload[] {
  return Object.entries({ gateway, ...applications });
}

function isWaiting([, { phase }]: NamedWorkload): boolean {
  return phase !== 'Ready' && phase !== 'Suspended';
}

function described([name, { message = '' }]: NamedWorkload): string {
  return `${name}: ${message}`;
}

function progressingFrom(ready: ConditionInput, stalled: ConditionInput): ConditionInput {
  const type = 'Progressing';
  if (stalled.status === 'True') return { ...stalled, type, status: 'False' };
  if (ready.status === 'True')
    return { type, status: 'False', reason: 'Settled', message: 'Everything is as the spec says.' };
  return { type, status: 'True', reason: ready.reason, message: ready.message };
}

function unknown(type: string): ConditionInput {
  return { type, status: 'Unknown', reason: 'NotChecked', message: 'Earlier conditions have to hold first.' };
}

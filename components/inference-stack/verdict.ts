import { OPERATOR_VERSION_LABEL } from '../../packages/api/constants.ts';
import { decideOwnership } from '../../packages/api/operator-version.ts';
import type { Condition, InferenceStack } from '../../packages/api/types.ts';
import { LASTING_MS } from '../waits/symptom.ts';

/** How a stack is doing. */
export type Verdict =
  | { readonly kind: 'ready'; readonly message: string }
  /** The operator works on it, or waits for something that may still come. */
  | { readonly kind: 'progressing' | 'waiting'; readonly message: string }
  /** The operator does not serve the stack as it is declared, and looks again when that changes. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The operator says that somebody has to do something. It, or a kubelet, tries again from time to time. */
  | { readonly kind: 'stalled'; readonly message: string; readonly since: number }
  /** No operator has looked at it as it is now. */
  | { readonly kind: 'unserved'; readonly message: string }
  | { readonly kind: 'gone' | 'unreadable'; readonly message: string };

/** An operator takes a stack over within the 15 s for which its predecessor's Lease lasts, and a pod is replaced in less than this. */
const UNSERVED_MS = 60_000;

/** Operators and kubelets that try again do so after 5 minutes at most. */
const TRIED_AGAIN_MS = 360_000;

/** More than the time from applying a stack to the first look at it, and less than what it takes to fail. */
const NEWS_MS = LASTING_MS / 2;

/**
 * How long a verdict has to last before it is final; other verdicts are waited out. A brief verdict means nothing:
 * right after a change the status may still describe the previous state, and the API server refuses objects while a
 * webhook restarts.
 */
const FINAL_AFTER_MS: Readonly<Partial<Record<Verdict['kind'], number>>> = {
  refused: LASTING_MS,
  stalled: LASTING_MS,
  gone: LASTING_MS,
  unserved: UNSERVED_MS,
  unreadable: UNSERVED_MS,
};

/**
 * The same, for a wait that began at the given time. Trouble from before may have been fixed since, which shows only at
 * the next try.
 */
export function finalAfterMs(verdict: Verdict, begin: number): number {
  if (verdict.kind === 'stalled' && verdict.since < begin - NEWS_MS) return TRIED_AGAIN_MS;
  return FINAL_AFTER_MS[verdict.kind] ?? Infinity;
}

export function verdictOf(stack: InferenceStack): Verdict {
  const { metadata, status = {} } = stack;
  if (metadata.deletionTimestamp !== undefined) return { kind: 'waiting', message: 'It is being deleted.' };
  const isObserved = status.observedGeneration === metadata.generation;
  if (!isObserved || isLetGo(stack)) return { kind: 'unserved', message: unserved(stack) };
  const ready = conditionOf(stack, 'Ready');
  const stalled = conditionOf(stack, 'Stalled');
  if (stalled?.status === 'True') {
    const message = sentence(ready ?? stalled);
    if (conditionOf(stack, 'Accepted')?.status === 'False') return { kind: 'refused', message };
    return { kind: 'stalled', message, since: Date.parse(stalled.lastTransitionTime) };
  }
  // A refusal comes without a claim; the operator that serves a stack has signed one.
  if (ready === undefined || status.claim === undefined) return { kind: 'unserved', message: unserved(stack) };
  if (ready.status === 'True') return { kind: 'ready', message: ready.message };
  return { kind: ready.reason === 'Progressing' ? 'progressing' : 'waiting', message: sentence(ready) };
}

/** Changing only the label does not change the generation: until the next operator signs, the status is the previous operator's. */
function isLetGo({ metadata, status }: InferenceStack): boolean {
  const { claim } = status ?? {};
  if (claim === undefined) return false;
  return claim.released === true || decideOwnership(labelOf(metadata), claim.version).kind === 'foreign';
}

function unserved({ metadata }: Pick<InferenceStack, 'metadata'>): string {
  return `no operator has looked at it, and its label ${OPERATOR_VERSION_LABEL} asks for ${labelOf(metadata) ?? 'none'}`;
}

export function labelOf({ labels }: InferenceStack['metadata']): string | undefined {
  return labels?.[OPERATOR_VERSION_LABEL];
}

export function conditionOf({ status }: InferenceStack, wanted: string): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === wanted);
}

function sentence({ reason, message }: Condition): string {
  return `${reason}: ${message}`;
}

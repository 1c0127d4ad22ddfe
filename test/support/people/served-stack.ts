import type { Condition, InferenceStack, InferenceStackStatus } from '../../../packages/api/types.ts';
import { stackWith } from './stacks.ts';

const READY: ConditionChange = {
  status: 'True',
  reason: 'Ready',
  message: 'The gateway and all applications are ready.',
};

/** The last transition of all conditions. */
export const SINCE = '2026-01-01T00:00:00Z';

export type ConditionChange = Pick<Condition, 'status' | 'reason' | 'message'>;

/** The stack `team-a/chat` as an operator of major 1 reports it, with the given conditions instead of a ready one. */
export function servedStack(
  conditions: Readonly<Record<string, ConditionChange>> = {},
  status: InferenceStackStatus = {},
): InferenceStack {
  const { metadata, ...stack } = stackWith({});
  const all = Object.entries({ Ready: READY, ...conditions });
  return {
    ...stack,
    metadata: { ...metadata, uid: 'one', generation: 2 },
    status: {
      observedGeneration: 2,
      claim: { major: 1, version: '1.4.0', operator: 'v1' },
      conditions: all.map(([type, condition]) => ({ type, lastTransitionTime: SINCE, ...condition })),
      url: 'http://chat-inference-stack-gateway.team-a.svc',
      ...status,
    },
  };
}

/** What the operator says about a stack that it cannot serve. */
export function stalledBy(reason: string, message: string): Record<string, ConditionChange> {
  return { Ready: { status: 'False', reason, message }, Stalled: { status: 'True', reason, message } };
}

/** What it says about a stack that it does not serve as declared. */
export function refusedFor(reason: string, message: string): Record<string, ConditionChange> {
  return { ...stalledBy(reason, message), Accepted: { status: 'False', reason, message } };
}

/** What the operator says about a stack that waits for something. */
export function waitingFor(reason: string, message: string): Record<string, ConditionChange> {
  const stalled = {
    status: 'False',
    reason: 'NotStalled',
    message: 'The stack may still become ready by itself.',
  } as const;
  return { Ready: { status: 'False', reason, message }, Stalled: stalled };
}

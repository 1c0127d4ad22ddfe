import assert from 'node:assert/strict';
import { stackWarnings } from '../../../../cli/status/stack-warnings.ts';
import type { ConditionInput } from '../../../../packages/kube/conditions.ts';
import { summarize } from '../../../../controller/src/reconcile/summary.ts';
import type { InferenceStackStatus, WorkloadStatus } from '../../../../packages/api/status.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';

const READY: WorkloadStatus = { phase: 'Ready', message: '1 of 1 pods ready, 1 with the newest configuration.' };
const QUOTA: WorkloadStatus = {
  phase: 'Waiting',
  message: `pods "chat-gateway-1" is forbidden: exceeded quota: small, ${'requested: cpu=8, used: cpu=1, limited: cpu=4 '.repeat(3)}`,
};
const PULL: WorkloadStatus = { phase: 'Failed', message: 'Pod chat-llm-1: ErrImagePull: r/runtime:nope: not found' };
const COMING: WorkloadStatus = { phase: 'Progressing', message: 'The pods are about to be made.' };
const MISSING = 'Application llm has no node for 1 pod: no node has 64 free A100.';

interface Found {
  readonly accepted?: ConditionInput['status'];
  readonly failures?: readonly Error[];
  readonly missing?: string;
}

/** What is said of a stack whose operator has seen these parts, in the operator's own words. */
function warnings(parts: Pick<InferenceStackStatus, 'gateway' | 'applications'>, found: Found = {}): readonly string[] {
  const { accepted = 'True', failures = [], missing } = found;
  const given = (type: string, status: ConditionInput['status'], reason: string): [string, ConditionInput] => [
    type,
    { type, status, reason, message: `${reason} it is` },
  ];
  const conditions = summarize(
    {
      conditions: new Map([
        given('Accepted', accepted, accepted === 'True' ? 'Valid' : 'Invalid'),
        given('GPUsAvailable', 'False', 'NoGpu'),
      ]),
      failures,
      plans: missing === undefined ? {} : { llm: { missing } },
    },
    parts,
  );
  const stack: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'InferenceStack',
    metadata: { name: 'chat', namespace: 'team-a' },
    status: { conditions, ...parts },
  };
  return stackWarnings(stack).map((line) => line.replace(/^InferenceStack team-a\/chat: /, ''));
}

describe('what is said of a stack that is not ready', () => {
  it('is nothing while it is ready', () => {
    assert.deepEqual(warnings({ gateway: READY, applications: { llm: READY, off: { phase: 'Suspended' } } }), []);
  });

  it('is a line for each part, the gravest first', () => {
    assert.deepEqual(warnings({ gateway: QUOTA, applications: { new: COMING, ok: READY, llm: PULL } }), [
      `application llm: Failed: ${PULL.message}`,
      `gateway: Waiting: ${QUOTA.message}`,
      'application new: Progressing: The pods are about to be made.',
    ]);
  });

  it('names an application once', () => {
    const llm: WorkloadStatus = { phase: 'Waiting', message: MISSING };
    assert.deepEqual(warnings({ gateway: READY, applications: { llm } }, { missing: MISSING }), [
      `Waiting: ${MISSING}`,
    ]);
  });

  it('counts what comes after five lines', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const applications = Object.fromEntries(names.map((name) => [name, PULL]));
    const lines = warnings({ gateway: COMING, applications });
    assert.deepEqual(
      lines.map((line) => line.replace(/: Failed: .*/, '')),
      ['application a', 'application b', 'application c', 'application d', 'application e', 'and 2 more'],
    );
  });

  it('begins with what only the stack can say', () => {
    const parts = { gateway: READY, applications: { llm: COMING } };
    const coming = 'application llm: Progressing: The pods are about to be made.';
    assert.deepEqual(warnings(parts, { missing: MISSING }), [`Ready: NoGpu: ${MISSING}`, coming]);
    assert.deepEqual(warnings(parts, { failures: [new Error('Service chat is not ours.')] }), [
      'Ready: ApplyRefused: Service chat is not ours.',
      coming,
    ]);
  });

  it('leaves out what ran before a spec that was not accepted', () => {
    assert.deepEqual(warnings({ gateway: READY, applications: { llm: PULL } }, { accepted: 'False' }), [
      'Ready: Invalid: Invalid it is',
    ]);
  });
});

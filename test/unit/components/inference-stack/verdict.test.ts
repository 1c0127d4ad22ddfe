import assert from 'node:assert/strict';
import { verdictOf } from '../../../../components/inference-stack/verdict.ts';
import { OPERATOR_VERSION_LABEL } from '../../../../packages/api/constants.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { refusedFor, servedStack, SINCE, stalledBy, waitingFor } from '../../../support/people/served-stack.ts';
import { stackWith } from '../../../support/people/stacks.ts';

function labelled(stack: InferenceStack, operatorVersion: string): InferenceStack {
  return { ...stack, metadata: { ...stack.metadata, labels: { [OPERATOR_VERSION_LABEL]: operatorVersion } } };
}

describe('the verdict on a stack', () => {
  it('is ready when the operator says so of the newest spec', () => {
    assert.deepEqual(verdictOf(servedStack()), {
      kind: 'ready',
      message: 'The gateway and all applications are ready.',
    });
  });

  it('is unserved as long as the status speaks of the spec before', () => {
    assert.equal(verdictOf(servedStack({}, { observedGeneration: 1 })).kind, 'unserved');
    assert.equal(verdictOf(servedStack(stalledBy('InvalidSpec', 'no'), { observedGeneration: 1 })).kind, 'unserved');
  });

  it('is unserved when nobody has written a status, and names the label', () => {
    assert.deepEqual(verdictOf(stackWith({})), {
      kind: 'unserved',
      message: 'no operator has looked at it, and its label operatorVersion asks for v1',
    });
  });

  it('is unserved after a change of the label, which leaves the generation, until the next operator signs', () => {
    assert.equal(verdictOf(labelled(servedStack(), 'v2')).kind, 'unserved');
    const released = { major: 1, version: '1.4.0', operator: 'v1', released: true };
    assert.equal(verdictOf(servedStack({}, { claim: released })).kind, 'unserved');
    assert.equal(verdictOf(labelled(servedStack(stalledBy('RolloutFailed', 'no')), 'v2')).kind, 'unserved');
  });

  it('is stalled when the operator says that somebody has to act', () => {
    const verdict = { kind: 'stalled', message: 'ApplyRefused: quota exceeded', since: Date.parse(SINCE) };
    assert.deepEqual(verdictOf(servedStack(stalledBy('ApplyRefused', 'quota exceeded'))), verdict);
  });

  it('is refused when the operator does not accept the spec, with or without a claim', () => {
    const verdict = { kind: 'refused', message: 'InvalidSpec: spec.gateway: is not a field' };
    const conditions = refusedFor('InvalidSpec', 'spec.gateway: is not a field');
    assert.deepEqual(verdictOf(servedStack(conditions)), verdict);
    const stack = servedStack(conditions);
    delete stack.status?.claim;
    assert.deepEqual(verdictOf(stack), verdict);
  });

  it('is refused for a label that asks for a newer operator than the one that serves the stack', () => {
    const stack = labelled(servedStack(refusedFor('OperatorTooOld', 'asks for operator 1.9.0')), '1.9');
    assert.deepEqual(verdictOf(stack), { kind: 'refused', message: 'OperatorTooOld: asks for operator 1.9.0' });
  });

  it('is waiting for what may still come, and progressing when nothing is missing', () => {
    assert.deepEqual(verdictOf(servedStack(waitingFor('InsufficientGPUs', 'chat needs 2 GPUs.'))), {
      kind: 'waiting',
      message: 'InsufficientGPUs: chat needs 2 GPUs.',
    });
    assert.equal(verdictOf(servedStack(waitingFor('Progressing', 'gateway: 0 of 1 pods ready'))).kind, 'progressing');
  });

  it('is waiting while the stack is being deleted', () => {
    const { metadata, ...stack } = servedStack();
    const deleted = { ...stack, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    assert.equal(verdictOf(deleted).kind, 'waiting');
  });
});

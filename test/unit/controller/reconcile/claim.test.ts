import assert from 'node:assert/strict';
import { decideOwnership } from '../../../../packages/api/operator-version.ts';
import type { Claim } from '../../../../packages/api/types.ts';
import { decideClaim, leaseOf, type Self } from '../../../../controller/src/reconcile/claim.ts';

const self: Self = {
  major: 2,
  version: '2.1.0',
  operator: 'ops/v2',
  lease: { namespace: 'ops', name: 'inference-stack-operator-v2' },
};
const mine: Claim = { ...self };
const theirs: Claim = {
  major: 1,
  version: '1.4.0',
  operator: 'ops/v1',
  lease: { namespace: 'ops', name: 'inference-stack-operator-v1' },
};
/** Of another installation of our own major, which has a Lease of its own. */
const rivals: Claim = { ...mine, operator: 'elsewhere/v2', lease: { ...self.lease, namespace: 'elsewhere' } };

function decide(label: string | undefined, claim?: Claim): string {
  return decideClaim(decideOwnership(label, self.version), claim, self).kind;
}

describe('the claim on a stack', () => {
  it('is made on a stack that nobody acts on', () => {
    assert.equal(decide('v2'), 'claim');
    assert.equal(decide('v2', { ...theirs, released: true }), 'claim');
  });

  it('lets its holder act, and is signed anew after an upgrade', () => {
    assert.equal(decide('2', mine), 'act');
    assert.equal(decide('2.1', mine), 'act');
    assert.equal(decide('v2', { ...mine, version: '2.0.0' }), 'claim');
    assert.equal(decide('v2', { ...mine, released: true }), 'claim');
  });

  it('keeps everybody else waiting until it is released', () => {
    assert.equal(decide('v2', theirs), 'wait');
  });

  it('keeps another installation of the same major waiting, if that one has a Lease of its own', () => {
    assert.equal(decide('v2', rivals), 'wait');
    assert.equal(decide('v2', { ...rivals, version: '2.0.0' }), 'wait');
    assert.equal(decide('v2', { ...rivals, released: true }), 'claim');
  });

  it('is signed anew without waiting by another installation that has come to hold the same Lease', () => {
    assert.equal(decide('v2', { ...mine, operator: 'ops/renamed' }), 'claim');
  });

  it('is nobody else’s to release or to explain', () => {
    assert.equal(decide('v1', rivals), 'ignore');
    assert.equal(decide('2.9', rivals), 'ignore');
    assert.equal(decide(undefined, rivals), 'ignore');
    assert.equal(decide('latest', rivals), 'ignore');
    assert.equal(decideClaim({ kind: 'unselected' }, rivals, self).kind, 'ignore');
  });

  it('was made in the operators’ common namespace if it names no Lease', () => {
    const other: Claim = { major: 1, version: '1.4.0', operator: 'ops/v1' };
    assert.equal(decide('v2', { major: 2, version: '2.1.0', operator: 'ops/v2' }), 'act');
    assert.equal(decide('v2', other), 'wait');
    assert.deepEqual(leaseOf(other, self), theirs.lease);
  });

  it('is released when the label names another major, once', () => {
    assert.equal(decide('v1', mine), 'release');
    assert.equal(decide('v1', { ...mine, released: true }), 'ignore');
    assert.equal(decide('v1', theirs), 'ignore');
    assert.equal(decide('v1'), 'ignore');
  });

  it('is released when the watches file no longer selects the stack, once', () => {
    const unselected = (claim?: Claim): string => decideClaim({ kind: 'unselected' }, claim, self).kind;
    assert.equal(unselected(mine), 'release');
    assert.equal(unselected({ ...mine, released: true }), 'ignore');
    assert.equal(unselected(), 'ignore');
  });

  it('is not made by an operator that is too old, which says so unless another one acts', () => {
    assert.equal(decide('2.9', undefined), 'refuse');
    assert.equal(decide('2.9', mine), 'refuse');
    assert.equal(decide('2.9', theirs), 'ignore');
  });

  it('gives its holder the duty to say that the label is missing or wrong', () => {
    assert.equal(decide(undefined, mine), 'refuse');
    assert.equal(decide('latest', mine), 'refuse');
    assert.equal(decide(undefined), 'ignore');
    assert.equal(decide('latest', theirs), 'ignore');
  });
});

import assert from 'node:assert/strict';
import { decideOwnership, parseOperatorRequest } from '../../../../packages/api/operator-version.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

describe('the label operatorVersion', () => {
  for (const [label, expected] of [
    ['v2', { major: 2 }],
    ['2', { major: 2 }],
    ['0', { major: 0 }],
    ['v10', { major: 10 }],
    ['2.1', { major: 2, minimum: '2.1.0' }],
    ['v2.1', { major: 2, minimum: '2.1.0' }],
    ['2.1.3', { major: 2, minimum: '2.1.3' }],
  ] as const) {
    it(`reads ${label}`, () => assert.deepEqual(parseOperatorRequest(label), expected));
  }

  for (const label of [
    '',
    'v',
    'latest',
    '02',
    '2.',
    '2.1.',
    '2.1.3.4',
    '2.x',
    '2.1.3-rc.1',
    'V2',
    ' 2',
    '2 ',
    '-2',
    '²',
  ]) {
    it(`refuses ${JSON.stringify(label)}`, () => assert.equal(parseOperatorRequest(label), undefined));
  }
});

describe('ownership', () => {
  const kind = (label: string | undefined, version: string) => decideOwnership(label, version).kind;

  it('goes to the operator of the major, whatever its minor', () => {
    assert.equal(kind('v2', '2.0.0'), 'owned');
    assert.equal(kind('2', '2.9.1'), 'owned');
    assert.equal(kind('v2', '1.9.0'), 'foreign');
    assert.equal(kind('v1', '2.0.0'), 'foreign');
  });

  it('stays through upgrades when the label names a least version', () => {
    assert.equal(kind('2.1', '2.1.0'), 'owned');
    assert.equal(kind('2.1.3', '2.2.0'), 'owned');
    assert.equal(kind('2.1.3', '3.0.0'), 'foreign');
  });

  it('is refused by an operator that is too old, with what to do', () => {
    const decision = decideOwnership('2.1.3', '2.1.2');
    assert.equal(decision.kind, 'too-old');
    assert.equal(
      'problem' in decision && formatProblem(decision.problem),
      'metadata.labels.operatorVersion: asks for operator 2.1.3 or newer, but 2.1.2 is installed (got "2.1.3"). ' +
        'Upgrade the operator of major 2, or ask for less with v2.',
    );
  });

  it('counts a pre-release as older than its release', () => assert.equal(kind('2.1', '2.1.0-rc.1'), 'too-old'));

  it('is nobody’s without a label, or with one that says nothing', () => {
    assert.equal(kind(undefined, '2.0.0'), 'unlabelled');
    assert.equal(kind('', '2.0.0'), 'unlabelled');
    assert.equal(kind('newest', '2.0.0'), 'invalid');
  });
});

import assert from 'node:assert/strict';
import { checkRemoval } from '../../../../components/fleet/removal.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

const stacks = ['v1', '1.2', '2', undefined].map((operatorVersion, index) => ({
  namespace: 'team-a',
  name: `stack-${index}`,
  operatorVersion,
}));

describe('removing an operator from the fleet', () => {
  it('is refused while stacks name its major, however they spell it', () => {
    assert.deepEqual(checkRemoval([2], [1, 2], stacks, []).map(formatProblem), [
      'operators: no longer lists major 1, but stacks name it: team-a/stack-0, team-a/stack-1. Relabel or delete them first, or accept it with `removeMajors: [1]`.',
    ]);
    assert.deepEqual(checkRemoval([1], [1, 2], stacks, []).map(formatProblem), [
      'operators: no longer lists major 2, but a stack names it: team-a/stack-2. Relabel or delete them first, or accept it with `removeMajors: [2]`.',
    ]);
  });

  it('names a few of many stacks', () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      namespace: 'n',
      name: `s${index}`,
      operatorVersion: 'v1',
    }));
    assert.match(checkRemoval([], [1], many, [])[0]?.message ?? '', /n\/s4 and 3 more$/);
  });

  it('is allowed when nobody names the major, or when it is accepted', () => {
    assert.deepEqual(checkRemoval([1, 2], [1, 2, 3], stacks, []), []);
    assert.deepEqual(checkRemoval([2], [1, 2], stacks, [1]), []);
  });
});

import assert from 'node:assert/strict';
import { formatProblem, ProblemsError, refuse } from '../../../../packages/lib/problem.ts';

describe('a problem', () => {
  it('names the object, the path, the message, the value and the remedy in one line', () => {
    const line = formatProblem({
      object: 'InferenceStack team-a/chat',
      path: 'spec.gateway.replicaCount',
      value: -1,
      message: 'must not be negative',
      remedy: 'Use 0 or more.',
    });
    assert.equal(
      line,
      'InferenceStack team-a/chat: spec.gateway.replicaCount: must not be negative (got -1). Use 0 or more.',
    );
  });

  it('cuts a long value', () => {
    const line = formatProblem({ path: 'spec', value: 'x'.repeat(500), message: 'is too long' });
    assert.ok(line.length < 120, line);
  });

  it('is thrown together with all others, and not at all when there are none', () => {
    refuse([]);
    assert.throws(
      () =>
        refuse([
          { path: 'a', message: 'is wrong' },
          { path: 'b', message: 'is missing' },
        ]),
      (error: unknown) => error instanceof ProblemsError && error.message === 'a: is wrong\nb: is missing',
    );
  });
});

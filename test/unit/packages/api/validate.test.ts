import assert from 'node:assert/strict';
import { validate } from '../../../../packages/api/validate.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { stackWith } from '../../../support/people/stacks.ts';
import { VALIDATION_CASES } from '../../../support/people/validation-cases/index.ts';

const problemsOf = (object: unknown) => {
  const result = validate(object);
  return result.valid ? [] : result.problems;
};

describe('validation', () => {
  for (const { title, spec, name, path, message } of VALIDATION_CASES) {
    if (path === undefined) {
      it(`accepts ${title}`, () => assert.deepEqual(problemsOf(stackWith(spec, name)), []));
    } else {
      it(`refuses ${title}`, () => {
        const [problem, ...others] = problemsOf(stackWith(spec, name));
        assert.deepEqual(others, []);
        assert.equal(problem?.path, path);
        assert.match(problem.message, message ?? /^$/);
      });
    }
  }

  it('reports everything that is wrong, each with object, path, value and remedy', () => {
    const stack = stackWith({
      gateway: { replicaCount: -1 },
      models: {},
      imagePullSecrets: 'regcred',
    } as object);
    assert.deepEqual(problemsOf(stack).map(formatProblem), [
      'InferenceStack team-a/chat: spec.gateway.replicaCount: must be at least 0 (got -1)',
      'InferenceStack team-a/chat: spec.models: is not a field of this API. ' +
        'Known fields are applicationTemplate, applications, fullnameOverride, gateway, imagePullSecrets, nameOverride, networkPolicy and 2 more.',
      'InferenceStack team-a/chat: spec.imagePullSecrets: must be of type array (got "regcred")',
    ]);
  });

  it('guesses which field was meant', () => {
    for (const field of ['imagepullsecrets', 'imagePullSecret', 'image_pull_secrets']) {
      const [problem] = problemsOf(stackWith({ [field]: [] }));
      assert.equal(problem?.remedy, 'Did you mean imagePullSecrets?');
    }
  });

  it('refuses what is no stack at all', () => {
    assert.deepEqual(
      problemsOf({ apiVersion: 'v1', kind: 'Pod', metadata: {} }).map(({ path }) => path),
      ['apiVersion', 'kind', 'metadata.name', 'spec'],
    );
    assert.equal(problemsOf(null).length > 0, true);
  });
});

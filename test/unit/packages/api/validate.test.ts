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
      'InferenceStack team-a/chat: spec.gateway.replicaCount: must be at least 0 (got -1). Use a number from 0 to 1000.',
      'InferenceStack team-a/chat: spec.models: is not a field of this API. ' +
        'Known fields are applicationTemplate, applications, fullnameOverride, gateway, imagePullSecrets, nameOverride, networkPolicy and 2 more.',
      'InferenceStack team-a/chat: spec.imagePullSecrets: must be of type array (got "regcred"). Write a list, such as [first, second].',
    ]);
  });

  it('guesses which field was meant', () => {
    for (const field of ['imagepullsecrets', 'imagePullSecret', 'image_pull_secrets']) {
      const [problem] = problemsOf(stackWith({ [field]: [] }));
      assert.equal(problem?.remedy, 'Did you mean imagePullSecrets?');
    }
  });

  const remediesOf = (chat: object): (string | undefined)[] =>
    problemsOf(stackWith({ applications: { chat } })).map(({ remedy }) => remedy);

  it('guesses a field by its beginning, where only one begins so', () => {
    assert.deepEqual(remediesOf({ replicas: 2, alias: 'chat' }), [
      'Did you mean replicaCount?',
      'Did you mean aliases?',
    ]);
    assert.deepEqual(remediesOf({ modelCache: { size: '1Gi', storageClass: 'fast' } }), [
      'Did you mean storageClassName?',
    ]);
    assert.match(String(remediesOf({ pod: {} })), /^Known fields are /);
  });

  it('says where a field is that was written elsewhere', () => {
    assert.deepEqual(
      problemsOf(stackWith({ replicaCount: 2 } as object)).map(({ remedy }) => remedy),
      ['It is a field of gateway, applicationTemplate, applications.<name>.'],
    );
    assert.deepEqual(remediesOf({ tokenSecret: { name: 'hf' } }), ['It is a field of model.']);
  });

  it('guesses which engine was meant', () => {
    for (const [engine, meant] of [
      ['vLLM', 'vllm'],
      ['llama.cpp', 'llamacpp'],
      ['sgl', 'sglang'],
    ]) {
      assert.deepEqual(remediesOf({ engine }), [`Did you mean ${String(meant)}?`]);
    }
    assert.deepEqual(remediesOf({ engine: 'ollama' }), ['Choose one of them.']);
  });

  it('shows how a value of another type is written', () => {
    assert.deepEqual(remediesOf({ gpu: 1 }), ['Write a map; its fields are count, minMemory, product, resourceName.']);
    assert.deepEqual(remediesOf({ modelCache: '50Gi' }), ['Write { size: … }.']);
    assert.deepEqual(remediesOf({ nodeSelector: 'gpu' }), ['Write a map, such as { name: value }.']);
    assert.deepEqual(remediesOf({ args: '--verbose' }), ['Write a list, such as [first, second].']);
    assert.deepEqual(remediesOf({ args: [8192, {}] }), ['Write it in quotes.', 'Write one text.']);
    assert.deepEqual(remediesOf({ replicaCount: '2' }), ['Write it without quotes.']);
    assert.deepEqual(remediesOf({ weight: 0.9 }), ['Write a whole number.']);
    assert.deepEqual(remediesOf({ suspend: 'yes' }), ['Write true or false, without quotes.']);
    assert.deepEqual(remediesOf({ gpu: { minMemory: '16GB' } }), ['Write it like 40Gi.']);
    const [list] = problemsOf(stackWith({ applications: [{ name: 'chat' }] } as object));
    assert.equal(list?.remedy, 'Write a map, with each entry under its name.');
  });

  it('refuses what is no stack at all', () => {
    assert.deepEqual(
      problemsOf({ apiVersion: 'v1', kind: 'Pod', metadata: {} }).map(({ path }) => path),
      ['apiVersion', 'kind', 'metadata.name', 'spec'],
    );
    assert.equal(problemsOf(null).length > 0, true);
  });
});

import assert from 'node:assert/strict';
import type { Application } from '../../../../../packages/api/types.ts';
import { render } from '../../../../../packages/render/render.ts';
import { contextWith, objectsOf, stackWith } from '../../../../support/people/stacks.ts';
import { providersOf } from '../../../../support/operator/routes.ts';

const MODEL = { name: 'org/model' };

function clientsOf(application: Application): readonly string[] | undefined {
  return render(stackWith({ applications: { chat: application } }), contextWith()).applications['chat']?.clients;
}

/** The name by which the gateway asks the engine for its model. */
function askedFor(application: Application): string | undefined {
  const [provider] = providersOf(objectsOf({ applications: { chat: { aliases: ['x'], ...application } } }), 'x');
  return provider?.onwards_model;
}

describe('the names of a model', () => {
  it('are the application’s and the model’s, unless the application has aliases', () => {
    assert.deepEqual(clientsOf({ engine: 'vllm', model: MODEL }), ['chat', 'org/model']);
    assert.deepEqual(clientsOf({ engine: 'vllm', model: { name: 'chat' } }), ['chat']);
    assert.deepEqual(clientsOf({ engine: 'vllm', model: { path: '/models/x' } }), ['chat']);
    assert.deepEqual(clientsOf({ engine: 'vllm', model: MODEL, aliases: [] }), ['chat', 'org/model']);
    assert.deepEqual(clientsOf({ engine: 'vllm', model: MODEL, aliases: ['a', 'b', 'a'] }), ['a', 'b']);
  });

  it('become the one that the engine was started with', () => {
    assert.equal(askedFor({ engine: 'vllm', model: MODEL }), 'chat');
    assert.equal(askedFor({ engine: 'vllm', model: MODEL, args: ['--served-model-name', 'own', 'other'] }), 'own');
    assert.equal(askedFor({ engine: 'sglang', model: MODEL, args: ['--served-model-name=own'] }), 'own');
    assert.equal(askedFor({ engine: 'llamacpp', model: MODEL, args: ['-a', 'own,other'] }), 'own');
  });

  it('become the one in a variable that the arguments refer to, if its value is known', () => {
    const args = ['--served-model-name', '$(NAME)'];
    const valueFrom = { configMapKeyRef: { name: 'c', key: 'k' } };
    assert.equal(askedFor({ engine: 'vllm', model: MODEL, args, env: [{ name: 'NAME', value: 'own' }] }), 'own');
    assert.equal(askedFor({ engine: 'vllm', model: MODEL, args, env: [{ name: 'NAME', valueFrom }] }), undefined);
  });

  it('become the model’s where the operator starts nothing itself, or stay as they are', () => {
    const image = { repository: 'own', tag: '1' };
    assert.equal(askedFor({ engine: 'openai', image, model: MODEL }), 'org/model');
    assert.equal(askedFor({ engine: 'openai', image }), undefined);
    assert.equal(askedFor({ engine: 'vllm', model: MODEL, command: ['serve'] }), 'org/model');
    assert.equal(askedFor({ engine: 'vllm', model: { path: '/m' }, command: ['serve'] }), undefined);
    const command = ['vllm', 'serve', 'x', '--served-model-name', 'own'];
    assert.equal(askedFor({ engine: 'vllm', model: MODEL, command }), 'own');
  });
});

import assert from 'node:assert/strict';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import { neededBy } from '../../../../controller/src/reconcile/needed.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

function objectsOf(spec: InferenceStackSpec): readonly RenderedObject[] {
  return render(stackWith(spec), contextWith()).objects;
}

function title({ kind, metadata }: RenderedObject): string {
  return `${kind} ${metadata.name.replace('chat-inference-stack', 'chat')}`;
}

/** What stays of one spec's objects when the stack is changed to another one, of which some objects cannot be applied. */
function needed(before: InferenceStackSpec, after: InferenceStackSpec, ...failed: readonly string[]): string[] {
  const wanted = objectsOf(after);
  const unapplied = wanted.filter((object) => failed.includes(title(object)));
  assert.equal(unapplied.length, failed.length, wanted.map(title).join());
  const names = new Set(wanted.map(title));
  const unwanted = objectsOf(before).filter((object) => !names.has(title(object)));
  return unwanted.filter(neededBy(unapplied, wanted)).map(title);
}

const CACHE = { size: '1Gi', deletionPolicy: 'Delete' } as const;

describe('what is needed although it is no longer wanted', () => {
  it('is nothing of an application that is gone, whatever else is refused', () => {
    const before = { applications: { a: { modelCache: CACHE } } };
    const after = { applications: { b: { modelCache: CACHE } } };
    for (const failed of ['PersistentVolumeClaim chat-b', 'ConfigMap chat-b', 'Deployment chat-gateway'])
      assert.deepEqual(needed(before, after, failed), [], failed);
  });

  it('is nothing that was switched off, such as the Ingress', () => {
    const before = { gateway: { ingress: { enabled: true } }, applications: { a: { scaling: { enabled: true } } } };
    const after = { gateway: { disruption: { enabled: false } }, applications: { a: {} } };
    assert.deepEqual(needed(before, after, 'Deployment chat-gateway', 'Deployment chat-a'), []);
  });

  it('is what something refused is to replace under another name, with what goes with it', () => {
    const before = { applications: { a: {}, b: {} } };
    const after = { ...before, fullnameOverride: 'new' };
    assert.deepEqual(needed(before, after), []);
    assert.deepEqual(needed(before, after, 'ConfigMap new-a'), [
      'ServiceAccount chat',
      'ConfigMap chat-a',
      'Deployment chat-a',
      'PodDisruptionBudget chat-a',
    ]);
    const all = objectsOf(before).map(title);
    assert.deepEqual(needed(before, after, 'Service new-gateway'), all, 'nothing is reached without the gateway');
    assert.deepEqual(needed(before, after, 'ServiceAccount new'), all, 'no pod starts without its account');
  });

  it('is what the pods of a Deployment use that could not be changed', () => {
    const before = { applications: { a: { modelCache: CACHE }, b: {} } };
    const after = { serviceAccount: { create: false }, applications: { a: {}, b: {} } };
    assert.deepEqual(needed(before, after, 'Deployment chat-a'), [
      'ServiceAccount chat',
      'PersistentVolumeClaim chat-a',
    ]);
    assert.deepEqual(needed(before, after, 'ConfigMap chat-b'), ['ServiceAccount chat']);
  });

  it('is what leads to the pods of an engine that goes on, and keeps others from them', () => {
    const before = { applications: { a: { engine: 'vllm', model: { name: 'm' } } } } as const;
    const after = { applications: { a: {} } };
    const reach = ['Service chat-a', 'NetworkPolicy chat-gateway'];
    assert.deepEqual(needed(before, after, 'Deployment chat-gateway', 'Deployment chat-a'), reach);
    assert.deepEqual(needed(before, after), []);
  });
});

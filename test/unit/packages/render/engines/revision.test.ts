import assert from 'node:assert/strict';
import type { FrozenDefaults, InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { chooseRevision } from '../../../../../packages/render/engines/revision.ts';
import { factsOf } from '../../../../../packages/render/engines/table.ts';
import { render } from '../../../../../packages/render/render.ts';
import { at, contextWith, objectsOf, stackWith } from '../../../../support/people/stacks.ts';

const MODEL = { name: 'org/model' };
const DEFAULTS: FrozenDefaults = { runtimeVersion: '1.0.0' };
const SPEC: InferenceStackSpec = { applications: { chat: { engine: 'vllm', model: MODEL } } };

const kept = (spec: InferenceStackSpec, defaults = DEFAULTS): FrozenDefaults =>
  render(stackWith(spec), contextWith({ defaults })).defaults;

describe('the revision of a table', () => {
  const newest = 3;
  const choose = (asked?: number | string, revisions?: Record<string, number>): unknown =>
    chooseRevision('vllm', newest, asked, revisions === undefined ? {} : { revisions });

  it('is the newest for a stack that starts, which keeps it', () => {
    assert.deepEqual(choose(), { revision: 3, kept: { table: 'vllm', revision: 3 } });
  });

  it('is the one that the stack started with, whatever came later', () => {
    assert.deepEqual(choose(undefined, { vllm: 1 }), { revision: 1, kept: { table: 'vllm', revision: 1 } });
  });

  it('is the operator’s own where the stack follows it, and nothing is kept', () => {
    assert.deepEqual(choose('operator', { vllm: 1 }), { revision: 3 });
  });

  it('is the one that the spec names, as a number or a text, and nothing is kept', () => {
    assert.deepEqual(choose(2, { vllm: 1 }), { revision: 2 });
    assert.deepEqual(choose('2'), { revision: 2 });
    assert.deepEqual(choose(9), { revision: 3 });
  });

  it('is the newest that the operator has for a stack of a newer one, which keeps its own', () => {
    assert.deepEqual(choose(undefined, { vllm: 7 }), { revision: 3, kept: { table: 'vllm', revision: 7 } });
    assert.deepEqual(factsOf(['one', 'two', 'three'], 7), 'three');
  });

  it('is one that exists, whatever a status says', () => {
    assert.deepEqual(choose(undefined, { vllm: 0 }), { revision: 1, kept: { table: 'vllm', revision: 0 } });
    assert.deepEqual(factsOf(['one', 'two'], 1.5), 'one');
  });
});

describe('what a stack keeps', () => {
  it('is the kind of its gateway, and the revision of every table that it uses', () => {
    assert.deepEqual(kept(SPEC), { ...DEFAULTS, gateway: 'onwards', revisions: { onwards: 1, vllm: 1 } });
    assert.deepEqual(kept({ applications: { chat: {} } }), { ...DEFAULTS, gateway: 'takeoff' });
  });

  it('stays when an engine goes, and grows when one comes', () => {
    const before = { ...DEFAULTS, gateway: 'onwards', revisions: { sglang: 1, onwards: 5 } } as const;
    assert.deepEqual(kept(SPEC, before).revisions, { sglang: 1, onwards: 5, vllm: 1 });
  });

  it('is not what the spec chooses', () => {
    const following = { applications: { chat: { engine: 'vllm', model: MODEL, engineRevision: 'operator' } } } as const;
    assert.deepEqual(kept(following).revisions, { onwards: 1 });
  });

  it('can be read from the Deployments, which say what they were made from', () => {
    const objects = objectsOf(SPEC, { defaults: { ...DEFAULTS, revisions: { vllm: 9 } } });
    const made = (name: string): unknown =>
      at(objects[`Deployment/${name}`], 'metadata.annotations', 'models.titanml.co/engine');
    assert.deepEqual([made('chat'), made('gateway')], ['vllm/1', 'onwards/1']);
  });

  it('decides the kind of a gateway whose applications are gone', () => {
    const defaults = { ...DEFAULTS, gateway: 'onwards' } as const;
    assert.equal(render(stackWith({}), contextWith({ defaults })).spec.gateway.kind, 'onwards');
    const asked = stackWith({ gateway: { kind: 'takeoff' } });
    assert.equal(render(asked, contextWith({ defaults })).spec.gateway.kind, 'takeoff');
  });
});

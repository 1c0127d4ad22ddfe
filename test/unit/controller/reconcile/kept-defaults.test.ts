import assert from 'node:assert/strict';
import { ENGINE_ANNOTATION } from '../../../../packages/api/constants.ts';
import { OPERATOR_DEFAULTS } from '../../../../packages/api/defaults.ts';
import type { FrozenDefaults, InferenceStack, InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { INSTANCE_LABEL } from '../../../../packages/render/names.ts';
import { render } from '../../../../packages/render/render.ts';
import { keptDefaults } from '../../../../controller/src/reconcile/kept-defaults.ts';
import { madeBy, seen, type Whose } from '../../../support/operator/live-stack.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

const VLLM = { engine: 'vllm', model: { name: 'm' } } as const;
const OPEN: InferenceStackSpec = { applications: { llm: VLLM } };
const TAKEOFF: InferenceStackSpec = { applications: { llm: {} } };

/** What an earlier operator froze. */
const EARLIER: FrozenDefaults = { runtimeVersion: '0.9.0' };

function withUid(spec: InferenceStackSpec, status?: InferenceStack['status']): InferenceStack {
  const stack = stackWith(spec);
  stack.metadata.uid = 'this';
  return status === undefined ? stack : { ...stack, status };
}

/** What a stack without status keeps, beside what an earlier operator made for it. */
function readAgain(spec: InferenceStackSpec, whose: Whose = 'own'): FrozenDefaults {
  return keptDefaults(withUid(spec), seen(madeBy(EARLIER, withUid(spec), whose)));
}

/** The same objects with another engine's annotation, as an operator with other tables made them. */
function annotated(objects: readonly KubernetesObject[], table: string, of = 'llm'): KubernetesObject[] {
  return objects.map((object) => {
    const { kind, metadata } = object;
    if (kind !== 'Deployment' || !metadata.name.endsWith(`-${of}`)) return object;
    return { ...object, metadata: { ...metadata, annotations: { [ENGINE_ANNOTATION]: table } } };
  });
}

describe('what a stack keeps', () => {
  it('are this operator’s defaults, for a stack that runs nothing', () => {
    assert.deepEqual(keptDefaults(withUid(OPEN), seen([])), OPERATOR_DEFAULTS);
  });

  it('is what its status has, whatever its objects say', () => {
    const defaults = { runtimeVersion: '0.1.0', gateway: 'onwards', revisions: { vllm: 7, onwards: 8 } } as const;
    const objects = madeBy(EARLIER, withUid(OPEN));
    assert.deepEqual(keptDefaults(withUid(OPEN, { defaults }), seen(objects)), defaults);
  });

  it('is read again from what it runs, where it has lost its status', () => {
    assert.deepEqual(readAgain(TAKEOFF), { runtimeVersion: '0.9.0', gateway: 'takeoff' });
    const revisions = { vllm: 1, onwards: 1 };
    assert.deepEqual(readAgain(OPEN), { runtimeVersion: '0.9.0', gateway: 'onwards', revisions });
  });

  it('is read again key by key', () => {
    const objects = annotated(madeBy(EARLIER, withUid(OPEN)), 'vllm/4');
    const status = { defaults: { runtimeVersion: '0.1.0', revisions: { onwards: 2 } } };
    assert.deepEqual(keptDefaults(withUid(OPEN, status), seen(objects)), {
      runtimeVersion: '0.1.0',
      gateway: 'onwards',
      revisions: { onwards: 2, vllm: 4 },
    });
  });

  it('is read again from objects that nobody controls any more, and names them by its label', () => {
    assert.equal(readAgain(OPEN, 'nobody').runtimeVersion, '0.9.0');
    const others = madeBy(EARLIER, withUid(OPEN), 'nobody').map((object) => ({
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, [INSTANCE_LABEL]: 'other' } },
    }));
    assert.deepEqual(keptDefaults(withUid(OPEN), seen(others)), OPERATOR_DEFAULTS);
  });

  it('is read again from objects of the stack before a restore, except for the kind of a gateway that is about to go', () => {
    assert.deepEqual(readAgain(TAKEOFF, 'earlier'), { runtimeVersion: '0.9.0' });
    assert.deepEqual(readAgain(OPEN, 'earlier').revisions, { onwards: 1, vllm: 1 });
  });

  it('is nothing of what another stack’s objects say', () => {
    const other = { ...withUid(OPEN), kind: 'ModelOrchestra' };
    assert.deepEqual(keptDefaults(withUid(OPEN), seen(madeBy(EARLIER, other))), OPERATOR_DEFAULTS);
  });

  it('is no revision that the spec names for the gateway: later it would go back to that one', () => {
    for (const revision of [1, '1', 'operator']) {
      assert.deepEqual(readAgain({ ...OPEN, gateway: { revision } }).revisions, { vllm: 1 });
    }
    const unsaid = { ...OPEN, gateway: { revision: null } } as unknown as InferenceStackSpec;
    assert.deepEqual(readAgain(unsaid).revisions, { onwards: 1, vllm: 1 });
  });

  it('is no revision that the spec names, nor one of an engine that the application no longer has', () => {
    const objects = annotated(madeBy(EARLIER, withUid(OPEN)), 'vllm/3');
    const revisionsOf = (llm: object): FrozenDefaults['revisions'] =>
      keptDefaults(withUid({ applications: { llm } }), seen(objects)).revisions;
    assert.deepEqual(revisionsOf(VLLM), { vllm: 3, onwards: 1 });
    for (const llm of [
      { ...VLLM, engineRevision: 3 },
      { ...VLLM, engineRevision: 'operator' },
      { ...VLLM, engine: 'sglang' },
    ])
      assert.deepEqual(revisionsOf(llm), { onwards: 1 });
  });

  it('is nothing that an annotation says that no operator wrote', () => {
    for (const table of ['vllm', 'vllm/0', 'vllm/-1', 'vllm/1.5', 'vllm/99999', 'vllm/1/2', '__proto__/1', ''])
      assert.deepEqual(
        keptDefaults(withUid(OPEN), seen(annotated(madeBy(EARLIER, withUid(OPEN)), table))).revisions,
        { onwards: 1 },
        table,
      );
  });

  it('is found for a spec that says null for what it does not set', () => {
    const nulls = {
      applicationTemplate: null,
      gateway: null,
      applications: { llm: { ...VLLM, engineRevision: null } },
    };
    assert.deepEqual(readAgain(nulls as unknown as InferenceStackSpec).revisions, { onwards: 1, vllm: 1 });
    const nothing = { applications: null } as unknown as InferenceStackSpec;
    assert.deepEqual(readAgain(nothing), { runtimeVersion: '0.9.0', gateway: 'takeoff' });
  });

  it('leaves the images of a stack as they were that comes back without status', () => {
    const stack = withUid(TAKEOFF);
    const before = madeBy(EARLIER, stack, 'nobody');
    const { objects } = render(stack, contextWith({ defaults: keptDefaults(stack, seen(before)) }));
    assert.deepEqual(objects, before);
    assert.notDeepEqual(render(stack, contextWith({ defaults: keptDefaults(stack, seen([])) })).objects, before);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answerStack, keyOf } from '../../../../controller/src/render/answer-stack.ts';
import type { Header } from '../../../../controller/src/render/header.ts';
import { OPERATOR_DEFAULTS } from '../../../../packages/api/defaults.ts';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { OpenObject } from '../../../../packages/lib/json.ts';
import { render } from '../../../../packages/render/render.ts';
import { anyStack } from '../../../support/operator/arbitrary-schema.ts';
import { planned } from '../../../support/operator/planning.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

const CAPABILITIES = { keda: true, serviceMonitor: true, assignsUserIds: false };
const HEADER: Header = { capabilities: CAPABILITIES, operatorVersion: undefined };
const OPEN: InferenceStackSpec = { applications: { llm: { engine: 'vllm', model: { name: 'm' } } } };

/** As it comes from a line. */
const copyOf = (value: unknown): OpenObject => JSON.parse(JSON.stringify(value)) as OpenObject;

const refused = (value: unknown, message: RegExp, header = HEADER): void => {
  assert.throws(() => answerStack(value, header), { name: 'ProblemsError', message });
};

describe('the answer about a stack', function () {
  this.timeout(60_000);

  it('has the objects and notices that are rendered, whatever the schema admits', () => {
    fc.assert(
      fc.property(anyStack, (stack) => {
        const copy = copyOf(stack);
        const { objects, notices } = render(copy as never, contextWith());
        assert.deepEqual(answerStack(copyOf(stack), HEADER), { objects, notices });
      }),
    );
  });

  it('has the objects that a reconciliation plans', async () => {
    const spec: InferenceStackSpec = { applications: { a: { replicaCount: 2 }, b: { rollout: 'inPlace' } } };
    const scene = { recorded: { a: 'surge', b: 'inPlace' }, isApplied: () => true } as const;
    const state = await planned({ spec, nodes: [], ...scene });
    const header = { ...HEADER, capabilities: { keda: false, serviceMonitor: false, assignsUserIds: false } };
    assert.deepEqual(copyOf(answerStack(copyOf(state.stack), header).objects), copyOf(state.rendered?.objects));
  });

  it('keeps the defaults and the ways of replacing pods that the status has', () => {
    const defaults = { ...OPERATOR_DEFAULTS, runtimeVersion: '0.1.0' };
    const recorded = { defaults, applications: { llm: { rollout: 'recreate', rolloutReason: 'No room.' } } };
    const stack = stackWith({ applications: { llm: {} } });
    const { objects } = answerStack({ ...copyOf(stack), status: recorded }, HEADER);
    assert.deepEqual(objects, render(stack, contextWith({ defaults, rollouts: { llm: 'recreate' } })).objects);
    assert.notDeepEqual(objects, answerStack(copyOf(stack), HEADER).objects);
  });

  it('goes by what the cluster has', () => {
    const spec: InferenceStackSpec = { applications: { llm: { scaling: { enabled: true } } } };
    const kinds = (keda: boolean): string[] =>
      answerStack(copyOf(stackWith(spec)), { ...HEADER, capabilities: { ...CAPABILITIES, keda } }).objects.map(
        ({ kind }) => kind,
      );
    assert.ok(kinds(true).includes('ScaledObject'));
    assert.ok(!kinds(false).includes('ScaledObject'));
  });

  it('has a notice about a field that this version does not know, and the objects', () => {
    const { objects, notices } = answerStack(copyOf(stackWith({ ...OPEN, nextYear: 1 } as InferenceStackSpec)), HEADER);
    assert.deepEqual(objects, render(stackWith(OPEN), contextWith()).objects);
    assert.deepEqual([notices[0]?.path, notices[0]?.message], ['spec.nextYear', 'is not a field of this API']);
  });

  it('is why the operator would refuse it: its spec, its size, its gateway', () => {
    refused(
      stackWith({ applications: { llm: { replicaCount: -1 } } }),
      /spec\.applications\.llm\.replicaCount: must be/,
    );
    const large = { env: [{ name: 'A', value: 'x'.repeat(300_000) }] };
    refused(stackWith({ applications: { llm: large } }), /KiB/);
    const status = { defaults: { ...OPERATOR_DEFAULTS, gateway: 'takeoff' } };
    refused({ ...stackWith(OPEN), status }, /^spec\.gateway\.kind: was decided before/);
  });

  it('is why the operator would leave it alone, if its version is known', () => {
    const stack = stackWith(OPEN);
    const as = (operatorVersion: string): Header => ({ ...HEADER, operatorVersion });
    assert.ok(answerStack(copyOf(stack), as('1.9.0')).objects.length > 0);
    refused(copyOf(stack), /asks for an operator of major 1, so this one leaves it alone/, as('2.0.0'));
    const label = (text: string): OpenObject => ({
      ...copyOf(stack),
      metadata: { ...stack.metadata, labels: { operatorVersion: text } },
    });
    refused(label('1.5'), /asks for operator 1\.5\.0 or newer, but 1\.4\.0 is installed/, as('1.4.0'));
    refused(label('newest'), /is not an operator version/, as('1.4.0'));
    const deleted = { ...stack.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    refused({ ...stack, metadata: deleted }, /nothing is done for a stack that is deleted/);
  });

  it('is what is wrong with something that is no stack of a cluster', () => {
    for (const value of [null, 1, 'a', [], {}, { metadata: null }, { metadata: [] }]) refused(value, /^is not a stack/);
    const { metadata, ...rest } = stackWith(OPEN);
    refused({ ...rest, metadata: { ...metadata, namespace: undefined } }, /^metadata\.namespace: must be the name/);
    refused({ ...rest, metadata: { ...metadata, labels: { operatorVersion: 1 } } }, /^metadata\.labels: must have/);
    refused({ ...rest, metadata: { ...metadata, name: {} } }, /metadata\.name/);
    refused({ ...rest, metadata, kind: 'Pod' }, /kind: must be InferenceStack/);
    refused({ ...rest, metadata, status: 'fine' }, /^status: must be of type object/);
  });
});

describe('the key of a stack in an answer', () => {
  it('is its kind, namespace and name, and nothing if one of them is missing or endless', () => {
    assert.equal(keyOf(stackWith(OPEN)), 'InferenceStack/team-a/chat');
    assert.equal(keyOf({ kind: 'InferenceStack', metadata: { name: 'a' } }), undefined);
    assert.equal(keyOf({ kind: 'x'.repeat(1000), metadata: { name: 'a', namespace: 'b' } }), undefined);
    assert.equal(keyOf(null), undefined);
  });
});

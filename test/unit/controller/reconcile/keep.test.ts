import assert from 'node:assert/strict';
import { OPERATOR_DEFAULTS } from '../../../../packages/api/defaults.ts';
import type { FrozenDefaults, GatewayKind, InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { ConditionInput } from '../../../../packages/kube/conditions.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { keep } from '../../../../controller/src/reconcile/steps/keep.ts';
import { madeBy, seen } from '../../../support/operator/live-stack.ts';
import { planned } from '../../../support/operator/planning.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const OPEN = { applications: { llm: { engine: 'vllm', model: { name: 'm' } } } } as const;
const TAKEOFF = { applications: { llm: {} } };

/** What becomes of a stack that has a gateway of this kind. */
function kept(
  spec: InferenceStackSpec,
  gateway: GatewayKind | undefined,
): {
  readonly outcome: string;
  readonly accepted: ConditionInput | undefined;
  readonly defaults: FrozenDefaults | undefined;
} {
  const recorded = gateway === undefined ? {} : { defaults: { ...OPERATOR_DEFAULTS, gateway } };
  const state = {
    stack: { ...stackWith(spec), status: recorded },
    draft: {},
    conditions: new Map(),
  } as unknown as State;
  const outcome = keep(state, seen([]) as World);
  return { outcome, accepted: state.conditions.get('Accepted'), defaults: state.draft.defaults };
}

describe('the kind of a stack’s gateway', () => {
  it('stays as it was decided, and a stack whose engines no longer suit it is refused with what to do', () => {
    const { outcome, accepted, defaults } = kept(OPEN, 'takeoff');
    assert.equal(outcome, 'report');
    assert.deepEqual([accepted?.status, accepted?.reason], ['False', 'UnsuitedGateway']);
    assert.equal(
      accepted?.message,
      'spec.gateway.kind: was decided before, and does not suit llm (got "takeoff"). ' +
        "Set gateway.kind: onwards, which replaces the gateway's pods, or make another stack.",
    );
    assert.equal(defaults?.gateway, 'takeoff');
    assert.match(kept(TAKEOFF, 'onwards').accepted?.message ?? '', /Set gateway\.kind: takeoff,/);
  });

  it('names as many applications as there is room for beside the remedy', () => {
    const names = Array.from({ length: 40 }, (_, index) => `application-${String(index)}`);
    const spec = { applications: Object.fromEntries(names.map((name) => [name, OPEN.applications.llm])) };
    const message = kept(spec, 'takeoff').accepted?.message ?? '';
    assert.match(message, /does not suit application-0, application-1 and 38 more \(got .*or make another stack\.$/);
    assert.ok(message.length <= 200, String(message.length));
  });

  it('is no obstacle where it suits, where there are no applications, and before it was decided', () => {
    for (const [spec, kind] of [
      [OPEN, 'onwards'],
      [TAKEOFF, 'takeoff'],
      [{}, 'onwards'],
      [{}, 'takeoff'],
      [OPEN, undefined],
      [TAKEOFF, undefined],
    ] as const)
      assert.equal(kept(spec, kind).outcome, 'next', `${JSON.stringify(spec)} ${String(kind)}`);
  });

  it('is what the spec says, if it says something', () => {
    assert.equal(kept({ ...OPEN, gateway: { kind: 'onwards' } }, 'takeoff').outcome, 'next');
    const nothing = { ...OPEN, gateway: { kind: null } } as unknown as InferenceStackSpec;
    assert.equal(kept(nothing, 'takeoff').outcome, 'report');
  });

  it('is that of the gateway that runs, where nothing is recorded', () => {
    const stack = { ...stackWith(OPEN), metadata: { name: 'chat', namespace: 'team-a', uid: 'this' } };
    const state = { stack, draft: {}, conditions: new Map() } as unknown as State;
    const before = madeBy(OPERATOR_DEFAULTS, { ...stack, spec: TAKEOFF });
    assert.equal(keep(state, seen(before) as World), 'report');
    assert.equal(state.draft.defaults?.gateway, 'takeoff');
  });
});

describe('what a plan records', () => {
  it('is what was used for the first time, beside what the stack had', async () => {
    const { draft } = await planned({ spec: OPEN, nodes: [] });
    const revisions = { vllm: 1, onwards: 1 };
    assert.deepEqual(draft.defaults, { ...OPERATOR_DEFAULTS, gateway: 'onwards', revisions });
  });

  it('is the kind that the spec asks for', async () => {
    const status = { defaults: { runtimeVersion: '0.9.0', gateway: 'takeoff' } } as const;
    const { draft } = await planned({ spec: { ...OPEN, gateway: { kind: 'onwards' } }, nodes: [], status });
    assert.deepEqual(draft.defaults, {
      runtimeVersion: '0.9.0',
      gateway: 'onwards',
      revisions: { vllm: 1, onwards: 1 },
    });
  });
});

import assert from 'node:assert/strict';
import type { Claim, InferenceStackStatus } from '../../../../packages/api/types.ts';
import { stackType } from '../../../../packages/api/kinds.ts';
import { INFERENCE_STACK } from '../../../../packages/api/constants.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { EventInput } from '../../../../packages/kube/events.ts';
import { NodeIndex } from '../../../../packages/kube/placement/node-index.ts';
import { DevicesInUse } from '../../../../controller/src/reconcile/gpu/devices-in-use.ts';
import { reconcile } from '../../../../controller/src/reconcile/reconciler.ts';
import { DEFAULT_PATIENCE } from '../../../../controller/src/reconcile/rollout/patience.ts';
import type { World } from '../../../../controller/src/reconcile/state.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const SELF = { major: 1, version: '1.2.0', operator: 'ops/v1', lease: { namespace: 'ops', name: 'lease-v1' } };
const BEFORE: Claim = { ...SELF, version: '1.1.0', operator: 'ops/earlier' };

/** A stack and what an operator makes of it, try by try. */
class Scene {
  readonly events: string[] = [];
  readonly stack = { ...stackWith({}), status: { claim: BEFORE } as InferenceStackStatus };
  /** What the API server answers to an object that is applied, and to a status. */
  applyError: Error | undefined;
  statusError: Error | undefined;

  readonly #world = {
    self: SELF,
    client: {
      jsonPatch: (_type: unknown, _ref: unknown, operations: { path: string; value: unknown }[]): Promise<object> => {
        if (this.statusError !== undefined) return Promise.reject(this.statusError);
        const status = operations.find(({ path }) => path === '/status')?.value as InferenceStackStatus;
        return Promise.resolve(Object.assign(this.stack, { status }));
      },
    },
    events: { record: (_about: unknown, { reason }: EventInput) => this.events.push(reason) },
    applier: {
      isApplied: () => false,
      apply: () => (this.applyError === undefined ? Promise.resolve('applied') : Promise.reject(this.applyError)),
    },
    owned: { get: () => undefined, isAbsent: () => false, isUnanswered: () => false },
    pods: { byIndex: () => [] },
    nodes: () => new NodeIndex([]),
    devices: new DevicesInUse(),
    roomSince: new Map(),
    patience: DEFAULT_PATIENCE,
    capabilities: () => ({ keda: false, serviceMonitor: false, assignsUserIds: false }),
    selectorOf: () => undefined,
    namesakesOf: () => [],
    remember: () => undefined,
    prunedStatuses: new Map(),
    now: () => new Date(0),
  } as unknown as World;

  reconcile(lasting = false): ReturnType<typeof reconcile> {
    const stored = { resourceVersion: 1, stack: { ...this.stack }, excess: [], heavy: false };
    return reconcile(stackType(INFERENCE_STACK), stored, this.#world, lasting);
  }
}

describe('a reconciliation that the API server breaks off with an error', () => {
  const error = new ApiError('PATCH', 500, { message: 'failed calling webhook "guard.example.com"' });
  let scene: Scene;

  beforeEach(() => {
    scene = new Scene();
    scene.stack.status = { ...scene.stack.status, observedGeneration: 1 };
    scene.applyError = error;
  });

  it('fails without a word in the status, because it may succeed at once', async () => {
    await assert.rejects(scene.reconcile(), error);
    assert.equal(scene.stack.status.conditions, undefined);
  });

  it('names the object and the answer in the status when that lasts, and goes on trying', async () => {
    await assert.rejects(scene.reconcile(true), error);
    const told = scene.stack.status.conditions?.filter(({ type }) => ['Ready', 'Progressing'].includes(type));
    const message =
      'The API server fails to apply ServiceAccount team-a/chat-inference-stack: failed calling webhook "guard.example.com"';
    assert.deepEqual(
      told?.map((condition) => [condition.status, condition.reason, condition.message]),
      [
        ['False', 'APIServerError', message],
        ['True', 'APIServerError', message],
      ],
    );
  });
});

describe('the Events of a reconciliation', () => {
  it('are written with the status that makes them true, although a later step fails', async () => {
    const scene = new Scene();
    scene.applyError = new ApiError('PATCH', 500, { message: 'etcd is slow' });
    await assert.rejects(scene.reconcile(), /etcd is slow/);
    assert.deepEqual(scene.events, ['TakenOver']);
    scene.applyError = undefined;
    await scene.reconcile();
    assert.deepEqual(scene.events, ['TakenOver'], 'and not again');
  });

  it('are not written while their status is not', async () => {
    const scene = new Scene();
    scene.statusError = new ApiError('PATCH', 409, { reason: 'Conflict' });
    assert.equal((await scene.reconcile()).retry, 'soon');
    assert.deepEqual(scene.events, []);
  });
});

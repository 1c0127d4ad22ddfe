import assert from 'node:assert/strict';
import { INFERENCE_STACK, MODEL_ORCHESTRA } from '../../../../packages/api/constants.ts';
import { stackType } from '../../../../packages/api/kinds.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { Client, WatchOptions } from '../../../../packages/kube/client/client.ts';
import type { EventRecorder } from '../../../../packages/kube/events.ts';
import type { ResourceType } from '../../../../packages/kube/object.ts';
import { silentLogger } from '../../../../packages/kube/process/log.ts';
import { RuntimeMetrics } from '../../../../packages/kube/process/metrics.ts';
import { Operator } from '../../../../controller/src/reconcile/operator.ts';
import { eventually } from '../../../support/machine/eventually.ts';

/** Stands for a kind where discovery is meant. */
const DISCOVERY = 'discovery';

/** An API server that has nothing, and answers for one kind with errors only. */
function clientWithout(forbidden: string): Client {
  return {
    listEach: ({ kind }: ResourceType) =>
      kind === forbidden
        ? Promise.reject(new ApiError('GET', 403, { reason: 'Forbidden' }))
        : Promise.resolve({ resourceVersion: '1' }),
    watch: async function* (_type: ResourceType, { signal }: WatchOptions) {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      yield* [];
    },
    until: () => ({
      raw: () => Promise.reject(new ApiError('GET', forbidden === DISCOVERY ? 403 : 404, 'answered')),
    }),
  } as unknown as Client;
}

/** What an operator says of itself, as soon as that holds, where the API server answers for one kind with errors only. */
async function withoutKind(forbidden: string, check: (view: Operator['view']) => void): Promise<void> {
  const operator = new Operator({
    client: clientWithout(forbidden),
    self: { major: 1, version: '1.0.0', operator: 'ops/v1', lease: { namespace: 'ops', name: 'lease-v1' } },
    watches: [{ type: stackType(INFERENCE_STACK) }, { type: stackType(MODEL_ORCHESTRA), optional: true }],
    leaseMs: 1_000,
    events: {} as EventRecorder,
    metrics: new RuntimeMetrics(),
    logger: silentLogger,
  });
  const stop = new AbortController();
  const watching = operator.watch(stop.signal);
  try {
    await eventually(() => check(operator.view));
  } finally {
    stop.abort();
    await watching;
  }
}

describe('an operator', () => {
  it('works without an optional kind of stacks that the API server answers with errors only', async () => {
    await withoutKind(MODEL_ORCHESTRA.kind, ({ notReady }) => assert.deepEqual(notReady, []));
  });

  it('waits until it knows whether the platform assigns user ids, and says so', async () => {
    await withoutKind(DISCOVERY, ({ notReady }) => assert.deepEqual(notReady, ['security.openshift.io']));
  });

  it('names the kind of which it has heard nothing', async () => {
    await withoutKind('Node', ({ stalest }) => assert.equal(stalest.resource, 'nodes'));
  });
});

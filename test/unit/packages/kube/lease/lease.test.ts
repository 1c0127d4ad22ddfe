import assert from 'node:assert/strict';
import { once } from 'node:events';
import { ApiError } from '../../../../../packages/kube/client/api-error.ts';
import type { Client } from '../../../../../packages/kube/client/client.ts';
import type { Lease } from '../../../../../packages/kube/lease/lease-watch.ts';
import { runElection, type LeaseTimes, type Term } from '../../../../../packages/kube/lease/lease.ts';

type Answer = (lease: Lease, signal: AbortSignal | undefined) => Promise<Lease>;

/** One Lease, with the API server's optimistic locking. Each update is answered as the test says. */
class FakeLease {
  updates = 0;
  /** Called before each answer with the number of reads so far. */
  onGet: (reads: number) => void = () => undefined;
  #reads = 0;
  #lease: Lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'lease', namespace: 'ns', resourceVersion: '1' },
  };
  readonly #answer: (update: number) => Answer;

  constructor(answer: (update: number) => Answer) {
    this.#answer = answer;
  }

  client(signal?: AbortSignal): Client {
    const api = {
      get: (): Promise<Lease> => {
        this.#reads += 1;
        this.onGet(this.#reads);
        return Promise.resolve(structuredClone(this.#lease));
      },
      update: (_: unknown, lease: Lease): Promise<Lease> => {
        this.updates += 1;
        return this.#answer(this.updates)(lease, signal);
      },
      until: (until: AbortSignal): Client => this.client(until),
    };
    return api as unknown as Client;
  }

  replace(changes: Partial<Lease>): void {
    this.#lease = { ...this.#lease, ...changes };
  }

  readonly store: Answer = (lease) => {
    const { resourceVersion } = this.#lease.metadata;
    if (lease.metadata.resourceVersion !== resourceVersion) throw new ApiError('PUT', 409, { reason: 'Conflict' });
    const metadata = { ...lease.metadata, resourceVersion: String(Number(resourceVersion) + 1) };
    this.#lease = { ...lease, metadata };
    return Promise.resolve(structuredClone(this.#lease));
  };
}

const TIMES: LeaseTimes = { leaseMs: 3000, renewDeadlineMs: 1500, retryMs: 10 };

/** Runs an election until the work of one term has ended; `work` gets the term. */
async function elect(lease: FakeLease, times: LeaseTimes, work: (term: Term) => Promise<unknown>): Promise<void> {
  const end = new AbortController();
  let worked: Promise<unknown> = Promise.resolve();
  const lead = async (term: Term): Promise<void> => {
    worked = work(term).finally(() => end.abort());
    await worked;
  };
  const names = { namespace: 'ns', name: 'lease', identity: 'me' };
  await runElection({ client: lease.client(), ...names, times, lead }, end.signal);
  // What the work throws ends a term and nothing else.
  await worked;
}

const hang: Answer = (_, signal) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('broken off'))));

describe('the election', () => {
  it('does not begin to work on an answer that came after the deadline', async () => {
    const lease: FakeLease = new FakeLease((update) => async (object, signal) => {
      const stored = await lease.store(object, signal);
      if (update === 1) await new Promise((resolve) => setTimeout(resolve, 300));
      return stored;
    });
    let updates = 0;
    await elect(lease, { ...TIMES, renewDeadlineMs: 250 }, () => {
      updates = lease.updates;
      return Promise.resolve();
    });
    assert.ok(updates >= 2, 'the Lease was taken anew');
  });

  it('breaks a renewal off that gets no answer, early enough for another', async () => {
    const renewed = Promise.withResolvers<undefined>();
    const lease: FakeLease = new FakeLease((update) => {
      if (update === 2) return hang;
      if (update === 3) renewed.resolve(undefined);
      return lease.store;
    });
    await elect(lease, TIMES, async ({ lost }) => {
      await Promise.race([renewed.promise, once(lost, 'abort')]);
      assert.equal(lost.aborted, false);
    });
    assert.ok(lease.updates >= 3);
  });

  it('keeps a Lease whose renewal was stored although its answer was lost', async () => {
    const renewed = Promise.withResolvers<undefined>();
    const lease: FakeLease = new FakeLease((update) => async (object, signal) => {
      const stored = await lease.store(object, signal);
      if (update === 2) throw new Error('connection reset');
      if (update > 3) renewed.resolve(undefined);
      return stored;
    });
    await elect(lease, TIMES, async ({ lost }) => {
      await Promise.race([renewed.promise, once(lost, 'abort')]);
      assert.equal(lost.aborted, false);
    });
  });

  it('tells its work to stop at the deadline, not at the next attempt after it', async () => {
    const lease: FakeLease = new FakeLease((update) => (update === 1 ? lease.store : hang));
    // The next attempt would come long after the deadline.
    const started = performance.now();
    await elect(lease, { leaseMs: 60_000, renewDeadlineMs: 100, retryMs: 30_000 }, ({ lost }) => once(lost, 'abort'));
    assert.ok(performance.now() - started < 30_000);
  });

  it('does not take a Lease that was made anew before the holder of the old one must have noticed', async () => {
    const lease: FakeLease = new FakeLease(() => lease.store);
    const spec = { holderIdentity: 'other', leaseDurationSeconds: 1, leaseTransitions: 4 };
    lease.replace({ metadata: { name: 'lease', namespace: 'ns', uid: 'old', resourceVersion: '1' }, spec });
    let seenAnew = Infinity;
    lease.onGet = (reads) => {
      if (reads !== 2) return;
      lease.replace({ metadata: { name: 'lease', namespace: 'ns', uid: 'new', resourceVersion: '9' }, spec: {} });
      seenAnew = performance.now();
    };
    let takenAt = 0;
    await elect(lease, TIMES, () => {
      takenAt = performance.now();
      return Promise.resolve();
    });
    assert.ok(takenAt - seenAnew >= 990, 'the old holder may have gone on for a second');
  });

  it('gives the Lease up at once when it is somebody else’s', async () => {
    const lease: FakeLease = new FakeLease((update) => {
      if (update === 2)
        return (object) => lease.store({ ...object, spec: { holderIdentity: 'other' } }, undefined).then(conflict);
      return lease.store;
    });
    await elect(lease, TIMES, ({ lost }) => once(lost, 'abort'));
    assert.equal(lease.updates, 2);
  });
});

function conflict(): never {
  throw new ApiError('PUT', 409, { reason: 'Conflict' });
}

import assert from 'node:assert/strict';
import type { Claim } from '../../../../packages/api/types.ts';
import type { Self } from '../../../../controller/src/reconcile/claim.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { claim } from '../../../../controller/src/reconcile/steps/claim.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { Client } from '../../../../packages/kube/client/client.ts';
import { LeaseWatch, type Lease } from '../../../../packages/kube/lease/lease-watch.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const LEASE_MS = 15_000;
const self: Self = { major: 1, version: '1.2.0', operator: 'ops/v1', lease: { namespace: 'ops', name: 'lease-v1' } };
const otherMajor: Claim = {
  major: 2,
  version: '2.0.0',
  operator: 'ops/v2',
  lease: { namespace: 'ops', name: 'lease-v2' },
};
const rival: Claim = {
  major: 1,
  version: '1.1.0',
  operator: 'copy/v1',
  lease: { namespace: 'copy', name: 'lease-v1' },
};

/** A cluster with one Lease, seen by an operator that reconciles stacks which somebody else has claimed. */
class Cluster {
  now = 0;
  reads = 0;
  #version = 1;
  #lease: Lease | undefined;
  #error: Error | undefined;
  readonly #leases = new LeaseWatch({
    client: { get: () => this.#get() } as unknown as Client,
    presumedMs: LEASE_MS,
    sharedMs: 1_000,
    now: () => this.now,
  });

  set(spec: Lease['spec'] | undefined, uid = 'first'): void {
    this.#version += 1;
    const metadata = { name: 'lease', namespace: 'ns', uid, resourceVersion: String(this.#version) };
    this.#lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, ...(spec && { spec }) };
  }

  renew(): void {
    this.set({ holderIdentity: 'them', leaseDurationSeconds: LEASE_MS / 1000, leaseTransitions: 3 });
  }

  giveBack(): void {
    this.set({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 3 });
  }

  delete(): void {
    this.#lease = undefined;
  }

  forbid(): void {
    this.#error = new ApiError('GET', 403, { reason: 'Forbidden' });
  }

  /** Looks at a stack with this claim, so much later than the last time. */
  async look(held: Claim, laterMs = 2_000): Promise<State> {
    this.now += laterMs;
    const stack = stackWith({});
    stack.status = { claim: held };
    const state = { type: {}, stack, draft: {}, events: [] } as unknown as State;
    const world = {
      self,
      leases: this.#leases,
      leaseMs: LEASE_MS,
      selectorOf: () => undefined,
      now: () => new Date(0),
    };
    await claim(state, world as unknown as World);
    return state;
  }

  async takes(held: Claim, laterMs?: number): Promise<boolean> {
    return (await this.look(held, laterMs)).draft.claim?.operator === self.operator;
  }

  #get(): Promise<Lease> {
    this.reads += 1;
    if (this.#error !== undefined) return Promise.reject(this.#error);
    return this.#lease === undefined
      ? Promise.reject(new ApiError('GET', 404, { reason: 'NotFound' }))
      : Promise.resolve(this.#lease);
  }
}

describe('an operator that finds a stack claimed under another Lease', () => {
  let cluster: Cluster;

  beforeEach(() => {
    cluster = new Cluster();
    cluster.renew();
  });

  it('waits while that Lease is renewed, and takes the stack when it has not been for its whole duration', async () => {
    for (let renewal = 0; renewal < 20; renewal += 1) {
      cluster.renew();
      assert.equal(await cluster.takes(otherMajor), false);
    }
    assert.equal(await cluster.takes(otherMajor, LEASE_MS - 1), false);
    assert.equal(await cluster.takes(otherMajor, 1_000), true);
  });

  it('takes the stack of another major at once when its Lease was given back', async () => {
    cluster.giveBack();
    assert.equal(await cluster.takes(otherMajor), true);
  });

  it('lets another installation of its own major replace its pod, and takes the stack when nobody comes back', async () => {
    assert.equal(await cluster.takes(rival), false);
    cluster.giveBack();
    assert.equal(await cluster.takes(rival), false);
    cluster.renew();
    assert.equal(await cluster.takes(rival, 2 * LEASE_MS), false);
    cluster.giveBack();
    assert.equal(await cluster.takes(rival), false);
    assert.equal(await cluster.takes(rival, LEASE_MS), true);
  });

  it('takes a Lease that was deleted for held until its holder must have noticed', async () => {
    await cluster.look(otherMajor);
    cluster.delete();
    assert.equal(await cluster.takes(otherMajor), false);
    assert.equal(await cluster.takes(otherMajor, LEASE_MS - 1), false);
    assert.equal(await cluster.takes(otherMajor, 1_000), true);
  });

  it('does not trust the absence of a Lease that it has never seen either', async () => {
    cluster.delete();
    assert.equal(await cluster.takes(otherMajor), false);
    assert.equal(await cluster.takes(otherMajor, LEASE_MS), true);
  });

  it('takes a Lease that was made anew, and never held, for one that was deleted', async () => {
    cluster.set(undefined, 'second');
    assert.equal(await cluster.takes(otherMajor), false);
    assert.equal(await cluster.takes(otherMajor, LEASE_MS), true);
  });

  it('names the rival of its own major, and not the one that is about to hand over', async () => {
    assert.deepEqual((await cluster.look(rival)).rival, {
      operator: 'copy/v1',
      lease: { namespace: 'copy', name: 'lease-v1' },
      readable: true,
    });
    assert.equal((await cluster.look(otherMajor)).rival, undefined);
  });

  it('never takes a stack whose holder it cannot judge, because it may not read the Lease, and says so', async () => {
    cluster.forbid();
    assert.equal(await cluster.takes(otherMajor, 10 * LEASE_MS), false);
    const { rival: unknown, requeueAfterMs } = await cluster.look(otherMajor, 10 * LEASE_MS);
    assert.equal(unknown?.readable, false);
    assert.ok(requeueAfterMs !== undefined, 'the right may be granted');
  });

  it('reads the Lease as often for twice as many stacks', async () => {
    const reads = async (stacks: number): Promise<number> => {
      const before = cluster.reads;
      for (let round = 0; round < 10; round += 1) {
        cluster.now += 2_000;
        await Promise.all(Array.from({ length: stacks }, () => cluster.look(otherMajor, 0)));
      }
      return cluster.reads - before;
    };
    assert.deepEqual([await reads(100), await reads(200)], [10, 10]);
  });
});

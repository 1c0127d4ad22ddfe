import assert from 'node:assert/strict';
import type { Client } from '../../../../../packages/kube/client/client.ts';
import { LeaseWatch, type Lease } from '../../../../../packages/kube/lease/lease-watch.ts';

const REF = { namespace: 'ns', name: 'lease' };

function leaseHeld(seconds: number): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...REF, uid: 'one', resourceVersion: '7' },
    spec: { holderIdentity: 'them', leaseDurationSeconds: seconds, leaseTransitions: 1 },
  };
}

describe('a Lease that is watched', () => {
  it('has not run out by the time that its last answer took, because it may have been renewed meanwhile', async () => {
    let now = 0;
    let answerTakes = 0;
    const get = (): Promise<Lease> => {
      now += answerTakes;
      return Promise.resolve(leaseHeld(15));
    };
    const watch = new LeaseWatch({ client: { get } as unknown as Client, presumedMs: 0, now: () => now });
    await watch.observe(REF);
    now += 6_000;
    answerTakes = 10_000;
    assert.equal((await watch.observe(REF)).free, false);
    answerTakes = 0;
    assert.equal((await watch.observe(REF)).free, true);
  });

  it('is read once for all who ask at a time, and again for whoever asks later', async () => {
    let now = 0;
    let reads = 0;
    const get = (): Promise<Lease> => {
      reads += 1;
      return Promise.resolve(leaseHeld(15));
    };
    const client = { get } as unknown as Client;
    const watch = new LeaseWatch({ client, presumedMs: 0, sharedMs: 1_000, now: () => now });
    await Promise.all([watch.observe(REF), watch.observe(REF)]);
    now += 999;
    await watch.observe(REF);
    await watch.observe({ ...REF, namespace: 'other' });
    assert.equal(reads, 2);
    now += 1;
    await watch.observe(REF);
    assert.equal(reads, 3);
  });
});

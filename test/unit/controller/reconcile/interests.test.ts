import assert from 'node:assert/strict';
import { Interests } from '../../../../controller/src/reconcile/interests.ts';
import { Queue } from '../../../../packages/kube/queue/queue.ts';
import { GPU } from '../../../support/kubernetes/cluster-objects.ts';

const DELAYS = { wakeMs: 1000, tellMs: 10_000 };

/** Who is told what, when a resource is freed. */
function woken(interests: Interests, resources: readonly string[] | 'any'): Record<string, number> {
  const told: Record<string, number> = {};
  interests.wake(resources, (key, afterMs) => (told[key] = Math.min(afterMs, told[key] ?? afterMs)));
  return told;
}

describe('stacks that wait for GPUs', () => {
  it('are looked at again when GPUs of their kind move, and others are not', () => {
    const interests = new Interests(DELAYS);
    interests.set('a', { waitsFor: [GPU], follows: [] });
    interests.set('b', { waitsFor: ['habana.ai/gaudi'], follows: [] });
    interests.set('c', { waitsFor: [''], follows: [] });
    assert.deepEqual(Object.keys(woken(interests, [GPU])), ['a']);
    assert.deepEqual(Object.keys(woken(interests, 'any')), ['a', 'b', 'c']);
    interests.set('a', { waitsFor: [], follows: [] });
    interests.delete('b');
    assert.deepEqual(Object.keys(woken(interests, 'any')), ['c']);
  });

  it('come before those that only have to be prepared, and one after the other', () => {
    const interests = new Interests(DELAYS);
    for (const key of ['a', 'b']) interests.set(key, { waitsFor: [], follows: [GPU] });
    for (const key of ['c', 'd']) interests.set(key, { waitsFor: [GPU], follows: [GPU] });
    assert.deepEqual(woken(interests, [GPU]), { a: 10_000, b: 10_020, c: 1000, d: 1010 });
  });

  it('are looked at again when what they turn out to wait for has changed after it was counted', () => {
    const interests = new Interests(DELAYS);
    const missed = (changed: readonly string[] | 'any', resource: string): number | undefined => {
      interests.begin('a');
      woken(interests, changed);
      const afterMs = interests.set('a', { waitsFor: [resource], follows: [GPU] });
      interests.end('a');
      interests.delete('a');
      return afterMs;
    };
    assert.deepEqual([missed([GPU], GPU), missed('any', GPU), missed('any', '')], [1000, 1000, 1000]);
    assert.deepEqual(
      [missed([GPU], ''), missed(['habana.ai/gaudi'], GPU), missed([], GPU)],
      [10_000, undefined, undefined],
    );
    woken(interests, 'any');
    assert.equal(interests.set('a', { waitsFor: [GPU], follows: [] }), undefined, 'it was not being worked on');
  });

  it('are not told of what one of them has freed itself', () => {
    const interests = new Interests(DELAYS);
    for (const key of ['a', 'b']) interests.set(key, { waitsFor: [GPU], follows: [] });
    const told: string[] = [];
    interests.begin('a');
    interests.wake([GPU], (key) => told.push(key), 'a');
    assert.deepEqual(told, ['b']);
    assert.equal(interests.set('a', { waitsFor: [GPU], follows: [] }), undefined);
  });

  it('are told of what was taken for a moment if they may have counted then, unless they try again anyway', () => {
    const interests = new Interests(DELAYS);
    const interest = { waitsFor: [GPU], follows: [] };
    const told: string[] = [];
    interests.set('before', interest);
    for (const key of ['by', 'working', 'refused']) interests.begin(key);
    interests.set('ended', interest);
    interests.set('tries again', interest, true);
    interests.wake([GPU], (key) => told.push(key), 'by', 'meanwhile');
    assert.deepEqual(told, ['ended']);
    assert.equal(interests.set('working', interest), 1000);
    assert.equal(interests.set('refused', interest, true), undefined);
    interests.wake([GPU], () => undefined, 'by');
    assert.equal(interests.set('refused', interest, true), 1000, 'what was there before is news to everybody');
  });

  it('are looked at once, however many GPUs move meanwhile', async () => {
    const looks = async (moves: number): Promise<number> => {
      let added = 0;
      const nothing = (): void => undefined;
      const observer = {
        added: () => void (added += 1),
        depth: nothing,
        retried: nothing,
        waited: nothing,
        worked: nothing,
      };
      const queue = new Queue({ observer });
      const interests = new Interests({ wakeMs: 1, tellMs: 1 });
      for (const key of ['a', 'b', 'c']) interests.set(key, { waitsFor: [GPU], follows: [GPU] });
      for (let move = 0; move < moves; move += 1) {
        interests.wake([GPU], (key, afterMs) => queue.addAfter(key, afterMs));
      }
      while (!queue.idle) queue.done((await queue.take()) ?? '');
      return added;
    };
    assert.deepEqual([await looks(10), await looks(20)], [3, 3]);
  });
});

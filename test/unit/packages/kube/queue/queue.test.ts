import assert from 'node:assert/strict';
import { Queue, runWorkers } from '../../../../../packages/kube/queue/queue.ts';

describe('the queue', () => {
  it('hands out a key once, however often it was added while it waited', async () => {
    const queue = new Queue();
    queue.add('a');
    queue.add('b');
    queue.add('a');
    assert.equal(await queue.take(), 'a');
    assert.equal(await queue.take(), 'b');
    assert.equal(queue.length, 0);
  });

  it('never gives one key to two workers, and gives it again when it was added meanwhile', async () => {
    const queue = new Queue();
    queue.add('a');
    await queue.take();
    queue.add('a');
    assert.equal(queue.length, 0);
    queue.done('a');
    assert.equal(await queue.take(), 'a');
    queue.done('a');
    assert.ok(queue.idle);
  });

  it('gives a waiting worker the next key', async () => {
    const queue = new Queue();
    const taken = queue.take();
    queue.add('late');
    assert.equal(await taken, 'late');
  });

  it('delays a failed key longer each time, and from the start again after it was forgotten', async () => {
    const delays: number[] = [];
    const queue = new Queue({ backoff: { baseMs: 4, maxMs: 16 } });
    for (let round = 0; round < 4; round += 1) {
      const started = performance.now();
      queue.addRateLimited('a');
      await queue.take();
      delays.push(performance.now() - started);
      queue.done('a');
    }
    assert.ok(
      delays.every((delay, index) => delay >= ([4, 8, 16, 16][index] ?? 0) - 1),
      delays.join(),
    );
    assert.equal(queue.failures('a'), 4);
    queue.forget('a');
    assert.equal(queue.failures('a'), 0);
  });

  it('keeps the earlier of two delays for one key', async () => {
    const queue = new Queue();
    queue.addAfter('a', 5);
    queue.addAfter('a', 5_000);
    assert.equal(await queue.take(), 'a');
    queue.done('a');
    assert.ok(queue.idle);
  });

  it('does not let an addition wait for a delay of the same key', async () => {
    const queue = new Queue();
    queue.addAfter('a', 5_000);
    queue.add('a');
    assert.equal(await queue.take(), 'a');
    queue.done('a');
    assert.ok(queue.idle, 'the delay is void');
  });

  it('is idle although a key is due much later, and is not while one is due soon', () => {
    const queue = new Queue();
    queue.addAfter('a', 60_000);
    assert.ok(queue.idle);
    queue.addAfter('b', 5_000);
    assert.ok(!queue.idle);
    queue.shutDown();
  });

  it('sends workers home when it is shut down, after what they are doing', async () => {
    const queue = new Queue();
    const handled: string[] = [];
    const workers = runWorkers(queue, 2, async (key) => {
      await Promise.resolve();
      handled.push(key);
      if (key === 'b') queue.shutDown();
    });
    queue.add('a');
    queue.add('b');
    queue.add('c');
    await workers;
    queue.add('d');
    assert.deepEqual(
      handled.filter((key) => key !== 'c'),
      ['a', 'b'],
    );
    assert.equal(await queue.take(), undefined);
  });

  it('lets every worker finish before it passes on the error of one', async () => {
    const queue = new Queue();
    const finish = Promise.withResolvers<undefined>();
    const handled: string[] = [];
    const workers = runWorkers(queue, 2, async (key) => {
      if (key === 'bad') throw new Error('no good');
      await finish.promise;
      handled.push(key);
    });
    queue.add('slow');
    queue.add('bad');
    queue.add('never');
    setImmediate(() => finish.resolve(undefined));
    await assert.rejects(workers, /no good/);
    assert.deepEqual(handled, ['slow']);
  });

  describe('shared by tenants', () => {
    const tenantOf = (key: string): string => key.split('/')[0] ?? '';
    const fill = (most: number, ...keys: string[]): Queue => {
      const queue = new Queue({ sharing: { tenantOf, most } });
      for (const key of keys) queue.add(key);
      return queue;
    };

    it('gives each of them its turn, and each its keys in order', async () => {
      const queue = fill(9, 'a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'b/2');
      const order: (string | undefined)[] = [];
      while (queue.length > 0) order.push(await queue.take());
      assert.deepEqual(order, ['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'a/3']);
    });

    it('keeps workers for others, however much one has to do', async () => {
      const queue = fill(2, 'a/1', 'a/2', 'a/3', 'a/4');
      assert.deepEqual([await queue.take(), await queue.take()], ['a/1', 'a/2']);
      const third = queue.take();
      queue.add('b/1');
      assert.equal(await third, 'b/1');
      const fourth = queue.take();
      queue.done('a/1');
      assert.equal(await fourth, 'a/3');
    });

    it('works on few heavy keys at a time, and on the light ones of the same tenant meanwhile', async () => {
      const isHeavy = (key: string): boolean => key.includes('heavy');
      const queue = new Queue({ sharing: { tenantOf, most: 9, isHeavy, mostHeavy: 1 } });
      for (const key of ['a/heavy1', 'a/heavy2', 'b/heavy', 'a/light']) queue.add(key);
      assert.deepEqual([await queue.take(), await queue.take()], ['a/heavy1', 'a/light']);
      const third = queue.take();
      queue.done('a/heavy1');
      assert.equal(await third, 'b/heavy');
      const fourth = queue.take();
      queue.done('b/heavy');
      assert.equal(await fourth, 'a/heavy2');
    });

    it('counts a key as what it was when it came, though it has changed since', async () => {
      let heavy = true;
      const queue = new Queue({ sharing: { tenantOf, most: 9, isHeavy: () => heavy, mostHeavy: 1 } });
      queue.add('a/1');
      assert.equal(await queue.take(), 'a/1');
      heavy = false;
      queue.done('a/1');
      heavy = true;
      queue.add('a/2');
      assert.equal(await queue.take(), 'a/2');
    });

    it('hands a key out again that was added while it was worked on', async () => {
      const queue = fill(1, 'a/1');
      assert.equal(await queue.take(), 'a/1');
      queue.add('a/1');
      const next = queue.take();
      queue.done('a/1');
      assert.equal(await next, 'a/1');
      queue.done('a/1');
      assert.ok(queue.idle);
    });
  });
});

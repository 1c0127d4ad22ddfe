import assert from 'node:assert/strict';
import { Turns } from '../../../../controller/src/runtime/turns.ts';

describe('long work', () => {
  let now: number;
  let queued: (() => void)[];
  let turns: Turns;

  beforeEach(() => {
    now = 0;
    queued = [];
    turns = new Turns(
      () => now,
      (resume) => queued.push(resume),
    );
  });

  /** One turn of the event loop. */
  async function turn(): Promise<void> {
    for (const resume of queued.splice(0)) resume();
    await Promise.resolve();
  }

  it('goes on while its turn lasts', () => {
    now = 9;
    assert.equal(turns.over(), undefined);
    assert.deepEqual(queued, []);
  });

  it('goes on after others had theirs', async () => {
    now = 10;
    let resumed = false;
    void turns.over()?.then(() => (resumed = true));
    assert.equal(resumed, false);
    await turn();
    assert.equal(resumed, true);
    now = 19;
    assert.equal(turns.over(), undefined);
  });

  it('is resumed one by one, in the order of asking', async () => {
    now = 10;
    const order: string[] = [];
    for (const name of ['a', 'b', 'c']) void turns.over()?.then(() => order.push(name));
    await turn();
    assert.deepEqual(order, ['a']);
    // Whoever asks now has to wait for those that did before.
    void turns.over()?.then(() => order.push('d'));
    for (let count = 0; count < 3; count += 1) await turn();
    assert.deepEqual(order, ['a', 'b', 'c', 'd']);
    assert.deepEqual(queued, []);
  });
});

import assert from 'node:assert/strict';
import { Turns } from '../../../../packages/lib/turns.ts';

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
    assert.equal(turns.begin().yieldIfDue(), undefined);
    assert.deepEqual(queued, []);
  });

  it('goes on after others had theirs', async () => {
    now = 10;
    let resumed = false;
    void turns
      .begin()
      .yieldIfDue()
      ?.then(() => (resumed = true));
    assert.equal(resumed, false);
    await turn();
    assert.equal(resumed, true);
    now = 19;
    assert.equal(turns.begin().yieldIfDue(), undefined);
  });

  it('is resumed one by one, in the order of asking', async () => {
    now = 10;
    const order: string[] = [];
    for (const name of ['a', 'b', 'c'])
      void turns
        .begin()
        .yieldIfDue()
        ?.then(() => order.push(name));
    await turn();
    assert.deepEqual(order, ['a']);
    for (let count = 0; count < 2; count += 1) await turn();
    assert.deepEqual(order, ['a', 'b', 'c']);
    assert.deepEqual(queued, []);
  });

  it('lets those go first that have had fewer turns', async () => {
    const order: string[] = [];
    const long = ['a', 'b', 'c'].map((name) => ({ name, work: turns.begin() }));
    const ask = (): void => {
      for (const { name, work } of long) void work.yieldIfDue()?.then(() => order.push(name));
    };
    now = 10;
    ask();
    for (let count = 0; count < 3; count += 1) await turn();
    now += 10;
    ask();
    void turns
      .begin()
      .yieldIfDue()
      ?.then(() => order.push('short'));
    for (let count = 0; count < 4; count += 1) await turn();
    assert.deepEqual(order, ['a', 'b', 'c', 'short', 'a', 'b', 'c']);
  });

  it('goes on beside short work that never ends', async () => {
    let parts = 0;
    const long = turns.begin();
    const goOn = (): void =>
      void long.yieldIfDue()?.then(() => {
        parts += 1;
        now += 10;
        goOn();
      });
    now = 10;
    goOn();
    for (let count = 0; count < 100; count += 1) {
      now += 10;
      void turns.begin().yieldIfDue();
      await turn();
    }
    assert.ok(parts >= 5, `${parts} parts in 100 turns`);
  });

  it('does not wait for others while the turn lasts', async () => {
    now = 10;
    void turns.begin().yieldIfDue();
    void turns.begin().yieldIfDue();
    await turn();
    assert.equal(queued.length, 1);
    assert.equal(turns.begin().yieldIfDue(), undefined);
  });
});

import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Application } from '../../../../../packages/api/types.ts';
import { eventually } from '../../../../support/machine/eventually.ts';
import { ask } from '../../../../support/serving/clients.ts';
import { StandInStack } from '../../../../support/serving/stand-in-stack.ts';

const CLIENTS = 10;

/** How long an engine that starts again refuses connections. */
const RESTART_MS = 1000;

describe('requests that meet an engine which is not there', function () {
  this.timeout(20_000);
  let stack: StandInStack;
  afterEach(() => stack.stop());

  for (const [gone, main, canary] of [
    ['main', 50, 50],
    ['canary', 90, 10],
    ['main', 90, 10],
  ] as const) {
    it(`are answered by the other application when ${gone} of ${main} and ${canary} is gone`, async () => {
      stack = await start({ main: shared(main), canary: shared(canary) });
      await stack.engine(gone).stop();
      const { by, failures } = await ask({ url: stack.onwards.url, model: 'shared', clients: CLIENTS, requests: 30 });
      assert.deepEqual(failures, []);
      assert.deepEqual(by, { [gone === 'main' ? 'canary' : 'main']: 30 });
      assert.ok((await stack.onwards.retries()) > 0);
    });
  }

  it('are answered by the same engine if it is back within a second', async () => {
    stack = await start({ main: { engine: 'vllm' } });
    const engine = stack.engine('main');
    const end = new AbortController();
    const load = ask({ url: stack.onwards.url, model: 'main', clients: CLIENTS, signal: end.signal });
    await eventually(() => assert.ok(engine.asked.length > 50));
    await engine.stop();
    const before = engine.asked.length;
    await setTimeout(RESTART_MS);
    await engine.start();
    await eventually(() => assert.ok(engine.asked.length > before + 50));
    end.abort();
    assert.deepEqual((await load).failures, []);
    assert.ok((await stack.onwards.retries()) >= CLIENTS);
  });
});

function shared(weight: number): Application {
  return { engine: 'vllm', aliases: ['shared'], weight };
}

async function start(applications: Record<string, Application>): Promise<StandInStack> {
  return StandInStack.start({ applications }, () => setTimeout(10));
}

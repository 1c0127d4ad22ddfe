import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../../../../support/machine/eventually.ts';
import { ask } from '../../../../support/serving/clients.ts';
import { Onwards } from '../../../../support/serving/onwards.ts';
import { renderedGateway } from '../../../../support/serving/rendered-gateway.ts';
import { StandInEngine } from '../../../../support/serving/stand-in-engine.ts';
import { StandInService } from '../../../../support/serving/stand-in-service.ts';

describe('the pods of an application behind the gateway Onwards', function () {
  this.timeout(20_000);
  const first = new StandInEngine('first', () => setTimeout(5));
  const second = new StandInEngine('second', () => setTimeout(5));
  let service: StandInService;
  let onwards: Onwards;

  before(async () => {
    await first.start();
    await second.start();
    service = await StandInService.start([first]);
    const spec = { applications: { main: { engine: 'vllm' as const } } };
    onwards = await Onwards.start(renderedGateway(spec, { main: service.address }));
  });
  after(async () => {
    await onwards.stop();
    await service.stop();
    await first.stop();
    await second.stop();
  });

  it('share its requests from the moment they come to the moment they leave, and none is lost', async () => {
    const end = new AbortController();
    const load = ask({ url: onwards.url, model: 'main', clients: 10, signal: end.signal });
    await asked(first, 100);
    service.pods = [first, second];
    await asked(second, 100);
    service.pods = [second];
    await asked(second, 100);
    const atLast = first.asked.length;
    await asked(second, 100);
    assert.equal(first.asked.length, atLast);
    // Some pods die before their Service hears of it.
    service.pods = [first, second];
    await asked(first, 20);
    await first.stop();
    await asked(second, 100);
    end.abort();
    assert.deepEqual((await load).failures, []);
    assert.ok((await onwards.retries()) > 0);
  });
});

/** Waits until a pod was asked this many times more. */
async function asked(pod: StandInEngine, times: number): Promise<void> {
  const before = pod.asked.length;
  await eventually(() => assert.ok(pod.asked.length >= before + times, `${pod.name} is not asked any more`), 5000);
}

import assert from 'node:assert/strict';
import type { InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { eventually } from '../../../../support/machine/eventually.ts';
import { StandInStack } from '../../../../support/serving/stand-in-stack.ts';

const SPEC: InferenceStackSpec = {
  gateway: { drain: { seconds: 1 }, terminationGracePeriodSeconds: 20 },
  applications: { main: { engine: 'vllm' } },
};

describe('a gateway Onwards that is told to stop', function () {
  this.timeout(20_000);
  let stack: StandInStack;
  let finish: () => void;
  const mayFinish = new Promise<void>((resolve) => (finish = resolve));
  before(async () => {
    stack = await StandInStack.start(SPEC, ({ body }) => (body['long'] === true ? mayFinish : Promise.resolve()));
  });
  after(() => stack.stop());

  it('serves on while it is not ready, finishes what it has begun, and ends', async () => {
    const { onwards } = stack;
    const long = chat({ long: true });
    await eventually(() => assert.equal(stack.engine('main').asked.length, 1));
    onwards.terminate();
    await eventually(async () => assert.equal(await onwards.readiness(), 503));
    assert.equal(await chat({}), 'main');
    await eventually(() => assert.rejects(chat({})));
    finish();
    assert.equal(await long, 'main');
    assert.equal(await onwards.ended(), 0);
  });

  /** Who answers. */
  async function chat(more: object): Promise<string> {
    const body = JSON.stringify({ model: 'main', messages: [], ...more });
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const response = await fetch(`${stack.onwards.url}/v1/chat/completions`, { method: 'POST', headers, body });
    return ((await response.json()) as { system_fingerprint: string }).system_fingerprint;
  }
});

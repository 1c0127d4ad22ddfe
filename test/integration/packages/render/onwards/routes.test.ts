import assert from 'node:assert/strict';
import type { InferenceStackSpec } from '../../../../../packages/api/types.ts';
import type { OpenObject } from '../../../../../packages/lib/json.ts';
import { StandInStack } from '../../../../support/serving/stand-in-stack.ts';

const SPEC: InferenceStackSpec = {
  applications: {
    small: { engine: 'vllm', model: { name: 'org/small' } },
    large: { engine: 'sglang', model: { name: 'org/large' }, aliases: ['best', 'large'] },
    other: { engine: 'openai', image: { repository: 'other' }, model: { name: 'org/other' }, aliases: ['other'] },
    idle: { engine: 'vllm', model: { name: 'org/idle' }, weight: 0 },
  },
};

describe('the gateway Onwards with the table that is rendered', function () {
  this.timeout(20_000);
  let stack: StandInStack;
  let goOn: () => void;
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));

  before(async () => {
    // Only a stream waits between its chunks.
    stack = await StandInStack.start(SPEC, ({ body }) => (body['stream'] === true ? mayGoOn : Promise.resolve()));
  });
  after(() => stack.stop());

  it('lists every alias that has a share', async () => {
    assert.deepEqual(await stack.onwards.aliases(), ['best', 'large', 'org/small', 'other', 'small']);
  });

  it('sends each alias to its application, by the name that the engine has for its model', async () => {
    const wanted = { small: 'small', 'org/small': 'small', best: 'large', large: 'large', other: 'org/other' };
    for (const [alias, model] of Object.entries(wanted)) {
      const { status, answer } = await post('/v1/chat/completions', { model: alias, messages: [] });
      assert.deepEqual({ alias, status, model: answer['model'] }, { alias, status: 200, model });
      assert.equal(answer['system_fingerprint'], model.replace('org/', ''));
    }
  });

  it('passes chats, completions and embeddings through, as the client wrote them', async () => {
    const paths = {
      '/v1/chat/completions': 'chat.completion',
      '/v1/completions': 'text_completion',
      '/v1/embeddings': 'list',
    };
    for (const [path, object] of Object.entries(paths)) {
      const { status, answer } = await post(path, { model: 'best', temperature: 0.5, extra: { own: [1] } });
      assert.deepEqual({ status, object: answer['object'] }, { status: 200, object });
      const asked = stack.engine('large').asked.at(-1);
      assert.deepEqual(asked, { path, body: { model: 'large', temperature: 0.5, extra: { own: [1] } } });
    }
  });

  it('passes on a part of a stream before the next one is made', async () => {
    const response = await send('/v1/chat/completions', { model: 'best', messages: [], stream: true });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    let text = '';
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString();
      if (text.includes('"first"')) goOn();
    }
    assert.match(text, /"first"[^]*"last"[^]*\[DONE\]/);
  });

  it('answers 404 for a model that nobody serves, or that has no share', async () => {
    for (const model of ['nobody', 'idle']) {
      const { status, answer } = await post('/v1/chat/completions', { model, messages: [] });
      assert.deepEqual([status, (answer['error'] as OpenObject)['code']], [404, 'model_not_found']);
    }
  });

  async function send(path: string, body: OpenObject): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return fetch(stack.onwards.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async function post(path: string, body: OpenObject): Promise<{ status: number; answer: OpenObject }> {
    const response = await send(path, body);
    return { status: response.status, answer: (await response.json()) as OpenObject };
  }
});

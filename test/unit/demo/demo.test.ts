import assert from 'node:assert/strict';
import { parseConfig } from '../../../demo/src/config.ts';
import { startGateway, type Gateway } from '../../../demo/src/gateway.ts';
import { runReader } from '../../../demo/src/reader.ts';
import { eventually } from '../../support/machine/eventually.ts';

const FREE = { inference: 0, management: 0, openai: 0, internal: 0 };

describe('the demo runtime', () => {
  let gateway: Gateway;
  const stopping = new AbortController();

  before(async () => {
    gateway = await startGateway(FREE);
    const config = `
      takeoff:
        server_config: {internal_port: ${gateway.ports.internal}}
        readers_config:
          chat: {model_name: example/model, consumer_group: fast, internal_gateway_ip: 127.0.0.1}`;
    const role = parseConfig(config, 'pod-1');
    assert.ok(role.role === 'reader');
    void runReader(role, stopping.signal, () => undefined, 10);
    await eventually(async () => assert.deepEqual(await get('management', '/reader_groups'), { fast: ['chat-pod-1'] }));
  });

  after(async () => {
    stopping.abort();
    await gateway.close();
  });

  async function get(port: keyof typeof FREE, path: string): Promise<unknown> {
    return (await fetch(`http://127.0.0.1:${gateway.ports[port]}${path}`)).json();
  }

  async function chat(body: object): Promise<Response> {
    const url = `http://127.0.0.1:${gateway.ports.openai}/v1/chat/completions`;
    return fetch(url, { method: 'POST', body: JSON.stringify(body) });
  }

  const messages = [{ role: 'user', content: 'Is anybody there?' }];
  const answer =
    'This is the demo runtime: no model is loaded. Reader chat-pod-1 stands in for example/model and was asked: Is anybody there?';

  it('is a gateway when its configuration has no readers', () => {
    const config = 'takeoff: {server_config: {internal_port: 4005}, readers_config: null}';
    assert.deepEqual(parseConfig(config, 'pod'), { role: 'gateway', internalPort: 4005 });
  });

  it('answers a chat completion by way of a reader, and says what it is', async () => {
    const response = (await (await chat({ model: 'fast', messages })).json()) as {
      model: string;
      choices: { message: { content: string } }[];
    };
    assert.equal(response.model, 'fast');
    assert.equal(response.choices[0]?.message.content, answer);
  });

  it('streams the same answer', async () => {
    const text = await (await chat({ model: 'fast', messages, stream: true })).text();
    const chunks = text.split('\n\n').filter((line) => line.startsWith('data: {'));
    const parts = chunks.map((chunk) => {
      const { choices } = JSON.parse(chunk.slice(6)) as { choices: { delta: { content?: string } }[] };
      return choices[0]?.delta.content ?? '';
    });
    assert.equal(parts.join(''), answer);
    assert.match(text, /data: \[DONE\]\n\n$/);
  });

  it('answers many requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => chat({ model: 'fast', messages })));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  it('lists its consumer groups as models', async () => {
    assert.deepEqual(await get('openai', '/v1/models'), {
      object: 'list',
      data: [{ id: 'fast', object: 'model', owned_by: 'demo' }],
    });
  });

  it('says which models there are when it is asked for another', async () => {
    const response = await chat({ model: 'gpt-9', messages });
    assert.equal(response.status, 404);
    assert.deepEqual(await response.json(), {
      error: { message: 'no reader serves the model "gpt-9": there are fast', type: 'not_found' },
    });
  });

  it('is healthy on every port that people probe', async () => {
    for (const port of ['inference', 'management', 'openai'] as const) {
      assert.deepEqual(await get(port, '/healthz'), { status: 'ok' });
    }
  });
});

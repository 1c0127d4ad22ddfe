import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { objectsAt, textAt } from '../../../../../packages/lib/json.ts';
import { eventually } from '../../../../support/machine/eventually.ts';
import { freePorts } from '../../../../support/machine/free-port.ts';
import { findFile, Program } from '../../../../support/machine/program.ts';
import { Onwards } from '../../../../support/serving/onwards.ts';
import { engineArguments, renderedGateway } from '../../../../support/serving/rendered-gateway.ts';

describe('a real model behind the real gateway', function () {
  this.timeout(60_000);
  let directory: string;
  let engine: Program;
  let onwards: Onwards;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'real-model-'));
    const [port = 0] = await freePorts(1);
    const spec: InferenceStackSpec = {
      applications: {
        smollm2: {
          engine: 'llamacpp',
          model: { path: findFile('smollm2') },
          aliases: ['small'],
          port,
          resources: { limits: { cpu: '1' } },
        },
      },
    };
    // On every interface it would be open to others.
    const args = engineArguments(spec, 'smollm2').map((arg) => (arg === '0.0.0.0' ? '127.0.0.1' : arg));
    engine = new Program('llama-server', args, join(directory, 'log'));
    onwards = await Onwards.start(renderedGateway(spec, { smollm2: `http://127.0.0.1:${port}` }));
    await eventually(async () => {
      if (!engine.running) assert.fail(engine.tail());
      assert.equal((await fetch(`http://127.0.0.1:${port}/health`)).status, 200);
    });
  });
  after(async () => {
    await onwards.stop();
    await engine.stop();
    await rm(directory, { recursive: true });
  });

  it('knows the capital of France', async () => {
    const answer: unknown = await (await chat({})).json();
    assert.match(textAt(objectsAt(answer, 'choices')[0], 'message', 'content'), /Paris/);
  });

  it('streams its words, one after the other', async () => {
    const lines = (await (await chat({ stream: true })).text()).split('\n\n').filter((line) => line !== '');
    assert.equal(lines.pop(), 'data: [DONE]');
    const words = lines.map((line) =>
      textAt(objectsAt(JSON.parse(line.replace('data: ', '')), 'choices')[0], 'delta', 'content'),
    );
    assert.ok(words.filter((word) => word !== '').length > 3, words.join('|'));
    assert.match(words.join(''), /Paris/);
  });

  async function chat(more: object): Promise<Response> {
    const messages = [{ role: 'user', content: 'What is the capital of France? Answer in one sentence.' }];
    const body = JSON.stringify({ model: 'small', temperature: 0, max_tokens: 40, messages, ...more });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${onwards.url}/v1/chat/completions`, { method: 'POST', headers, body });
    assert.equal(response.status, 200);
    return response;
  }
});

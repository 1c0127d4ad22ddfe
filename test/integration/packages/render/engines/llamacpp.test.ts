import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Application, Model } from '../../../../../packages/api/types.ts';
import { textOf } from '../../../../../packages/lib/json.ts';
import { ENGINE_TABLES } from '../../../../../packages/render/engines/tables.ts';
import { eventually } from '../../../../support/machine/eventually.ts';
import { freePorts } from '../../../../support/machine/free-port.ts';
import { findFile, Program } from '../../../../support/machine/program.ts';
import { at, podOf } from '../../../../support/people/stacks.ts';

const [FACTS] = ENGINE_TABLES.llamacpp.revisions;
const LOOPBACK = ['--host', '127.0.0.1'];

interface Variable {
  readonly name: string;
  readonly value: string;
}

describe('the real llama-server', function () {
  this.timeout(300_000);
  let folder: string;
  const running: Program[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'llama-'));
  });
  after(async () => {
    await Promise.all(running.map((program) => program.stop('SIGKILL')));
    rmSync(folder, { recursive: true });
  });

  /** Starts the server as the container of an application would, except that its cache is in a folder of the test. */
  async function start(model: Model, more: Application = {}): Promise<{ url: string; program: Program }> {
    const [port = 0] = await freePorts(1);
    const chat = { engine: 'llamacpp', model, port, args: LOOPBACK, ...more } as const;
    const container = at(podOf({ applications: { chat } }, 'chat'), 'containers.0');
    const here = (text: string): string => text.replaceAll('/cache', join(folder, 'cache'));
    const env = (at(container, 'env') as Variable[]).map(({ name, value }) => [name, here(value)] as const);
    // The image's own command is the server.
    assert.equal(at(container, 'command'), undefined);
    const args = (at(container, 'args') as string[]).map(here);
    const program = new Program('llama-server', args, join(folder, `${String(port)}.log`), Object.fromEntries(env));
    running.push(program);
    return { url: `http://127.0.0.1:${String(port)}`, program };
  }

  async function isReady({ url, program }: { url: string; program: Program }): Promise<void> {
    await eventually(async () => {
      assert.ok(program.running, program.tail());
      const { status } = await get(`${url}${FACTS.readiness.path}`);
      assert.equal(status, 200);
    }, 120_000);
  }

  describe('with the arguments that its table renders', () => {
    let url: string;
    let program: Program;

    before(async () => {
      ({ url, program } = await start({ path: findFile('smollm2') }));
      await isReady({ url, program });
    });

    async function post(path: string, body: object): Promise<Response> {
      return fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ model: 'chat', temperature: 0, ...body }),
      });
    }

    const messages = [{ role: 'user', content: 'What is the capital of France? Answer in one sentence.' }];

    it('answers every probe', async () => {
      for (const { path } of [FACTS.startup, FACTS.readiness, FACTS.liveness]) {
        assert.equal((await get(`${url}${path}`)).status, 200);
      }
    });

    it('knows its model by the name that the gateway asks for', async () => {
      const models: unknown = await (await get(`${url}/v1/models`)).json();
      assert.equal(at(models, 'data.0.id'), 'chat');
    });

    it('answers a question', async () => {
      const response = await post('/v1/chat/completions', { messages, max_tokens: 40 });
      assert.equal(response.status, 200);
      assert.match(String(at(await response.json(), 'choices.0.message.content')), /Paris/);
    });

    it('answers word by word', async () => {
      const response = await post('/v1/chat/completions', { messages, max_tokens: 40, stream: true });
      assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
      const events = (await response.text()).split('\n').flatMap((line) => line.replace(/^data: /, '') || []);
      assert.equal(events.pop(), '[DONE]');
      const words = events.map((event) => textOf(at(JSON.parse(event), 'choices.0.delta.content') ?? ''));
      assert.ok(words.length > 3);
      assert.match(words.join(''), /Paris/);
    });

    it('completes a text', async () => {
      const response = await post('/v1/completions', { prompt: 'One, two, three,', max_tokens: 8 });
      assert.match(String(at(await response.json(), 'choices.0.text')), /four/);
    });

    it('shows its metrics where Prometheus looks for them', async () => {
      const metrics = await (await get(`${url}${FACTS.metricsPath}`)).text();
      assert.match(metrics, /^llamacpp:\w+ \d/m);
    });

    it('shows nobody the prompts of others, and has no page of its own', async () => {
      assert.notEqual((await get(`${url}/slots`)).status, 200);
      assert.notEqual((await get(url)).status, 200);
    });

    it('uses as many threads as whole processors', () => {
      // Without a limit or a request, the table's own request is one.
      assert.match(readFileSync(join(folder, `${new URL(url).port}.log`), 'utf8'), /n_threads\s*=\s*1\b/);
    });

    it('stops when it is told to', async () => {
      assert.equal(await program.stop(), 0);
    });
  });

  it('loads a model from an address, and keeps it in the folder for downloads', async () => {
    const model = findFile('smollm2');
    const served = await serveFile(model);
    try {
      const { port } = served.address() as AddressInfo;
      const { url, program } = await start({ url: `http://127.0.0.1:${String(port)}/tiny.gguf` });
      await isReady({ url, program });
      const models: unknown = await (await get(`${url}/v1/models`)).json();
      assert.equal(at(models, 'data.0.id'), 'chat');
      await program.stop();
      const kept = readdirSync(join(folder, 'cache/huggingface')).filter((name) => name.endsWith('-tiny.gguf'));
      assert.equal(kept.length, 1);
      assert.equal(statSync(join(folder, 'cache/huggingface', kept[0] ?? '')).size, statSync(model).size);
    } finally {
      served.close();
      served.closeAllConnections();
    }
  });

  it('refuses an argument that it does not know, so that the tests above mean something', async () => {
    const args = [...LOOPBACK, '--no-such-flag'];
    const { program } = await start({ path: findFile('smollm2') }, { args });
    await eventually(() => assert.equal(program.running, false));
    assert.match(program.tail(), /invalid argument: --no-such-flag/);
  });
});

/** Asks on a connection of its own: the server closes one that waits, perhaps just as the next request comes. */
function get(url: string): Promise<Response> {
  return fetch(url, { headers: { connection: 'close' } });
}

/** Serves a file as registries of models do: whole, in parts, or only its size. */
async function serveFile(path: string): Promise<Server> {
  const { size } = statSync(path);
  const server = createServer((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = Number(first ?? 0);
    const end = last === undefined || last === '' ? size - 1 : Number(last);
    const headers = { 'content-length': end - start + 1, 'accept-ranges': 'bytes', etag: '"1"' };
    response.writeHead(
      first === undefined ? 200 : 206,
      first === undefined ? headers : { ...headers, 'content-range': `bytes ${first}-${String(end)}/${String(size)}` },
    );
    if (request.method === 'HEAD') response.end();
    else createReadStream(path, { start, end }).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

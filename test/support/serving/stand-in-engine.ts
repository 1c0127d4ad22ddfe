import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { OpenObject } from '../../../packages/lib/json.ts';

/** What an engine was asked. */
export interface Asked {
  readonly path: string;
  readonly body: OpenObject;
}

/** What lies between a request and its answer, or between the first chunk of a stream and its last. */
export type Work = (asked: Asked) => Promise<unknown>;

/** An engine that serves the OpenAI API without a model, and says by `system_fingerprint` who it is. */
export class StandInEngine {
  readonly name: string;
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #work: Work;
  #port = 0;

  constructor(name: string, work: Work = () => Promise.resolve()) {
    this.name = name;
    this.#work = work;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** It may start again, where it was. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Ends with whatever it was doing. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = { path: request.url ?? '', body: (await json(request)) as OpenObject };
    this.asked.push(asked);
    const answer = answerTo(asked, this.name);
    if (asked.body['stream'] !== true) {
      await this.#work(asked);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    response.write(`data: ${JSON.stringify(chunk('first'))}\n\n`);
    await this.#work(asked);
    response.end(`data: ${JSON.stringify(chunk('last'))}\n\ndata: [DONE]\n\n`);
  }
}

function answerTo({ path, body: { model } }: Asked, name: string): OpenObject {
  const common = { model, system_fingerprint: name };
  if (path === '/v1/embeddings') return { object: 'list', data: [{ index: 0, embedding: [0, 1] }], ...common };
  if (path === '/v1/completions')
    return { object: 'text_completion', choices: [{ index: 0, text: 'words' }], ...common };
  const message = { role: 'assistant', content: 'words' };
  return { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], ...common };
}

function chunk(content: string): OpenObject {
  return { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] };
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Message } from './answer.ts';
import { Broker } from './broker.ts';
import { readJson, sendError, sendJson, serve } from './http.ts';

/** The ports of the real gateway. */
export interface GatewayPorts {
  readonly inference: number;
  readonly management: number;
  readonly openai: number;
  readonly internal: number;
}

export interface Gateway {
  readonly ports: GatewayPorts;
  close(): Promise<void>;
}

/** How long a reader's request for work stays open; shorter than any proxy's idle timeout. */
const POLL_MS = 10_000;

/** Serves the OpenAI API on one port and readers on another. The rest say what this is. */
export async function startGateway(ports: GatewayPorts): Promise<Gateway> {
  const broker = new Broker();
  const health = { 'GET /healthz': (_: unknown, response: ServerResponse) => sendJson(response, { status: 'ok' }) };
  const inference = await serve(ports.inference, health);
  const management = await serve(ports.management, {
    ...health,
    'GET /reader_groups': (_, response) => sendJson(response, broker.groups()),
  });
  const openai = await serve(ports.openai, {
    ...health,
    'GET /v1/models': (_, response) => sendJson(response, models(broker)),
    'POST /v1/chat/completions': (request, response) => chat(broker, request, response),
  });
  const internal = await serve(ports.internal, {
    'GET /work': (_, response, query) => {
      work(broker, response, query);
    },
    'POST /result': async (request, response, query) => {
      const { text } = (await readJson(request)) as { text: string };
      broker.finish(query.get('id') ?? '', text);
      sendJson(response, {});
    },
  });
  const started = { inference, management, openai, internal };
  return {
    ports: {
      inference: inference.port,
      management: management.port,
      openai: openai.port,
      internal: internal.port,
    },
    close: async () => {
      await Promise.all(Object.values(started).map(({ server }) => closeServer(server)));
    },
  };
}

function models(broker: Broker): object {
  const data = Object.keys(broker.groups()).map((id) => ({ id, object: 'model', owned_by: 'demo' }));
  return { object: 'list', data };
}

async function chat(broker: Broker, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await readJson(request)) as { model?: string; messages?: readonly Message[]; stream?: boolean };
  const model = body.model ?? 'primary';
  const text = await broker.ask(model, body.messages ?? []);
  if (text === undefined) {
    const known = Object.keys(broker.groups());
    const list = known.length === 0 ? 'no reader has connected yet' : `there are ${known.join(', ')}`;
    sendError(response, 404, `no reader serves the model ${JSON.stringify(model)}: ${list}`);
  } else if (body.stream === true) {
    stream(response, model, text);
  } else {
    const message = { role: 'assistant', content: text };
    sendJson(response, {
      ...envelope(model, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    });
  }
}

function stream(response: ServerResponse, model: string, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choice: object): void => {
    const chunk = {
      ...envelope(model, 'chat.completion.chunk'),
      choices: [{ index: 0, finish_reason: null, ...choice }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const content of text.split(/(?<= )/)) send({ delta: { content } });
  send({ delta: {}, finish_reason: 'stop' });
  response.end('data: [DONE]\n\n');
}

function envelope(model: string, object: string): object {
  return { id: `demo-${Date.now()}`, object, created: Math.floor(Date.now() / 1000), model };
}

/** Work may be waiting already, so a reader's request may end before it is even queued. */
function work(broker: Broker, response: ServerResponse, query: URLSearchParams): void {
  const ended = new AbortController();
  const timer = setTimeout(() => {
    ended.abort();
    response.writeHead(204).end();
  }, POLL_MS);
  response.on('close', () => {
    clearTimeout(timer);
    ended.abort();
  });
  const withdraw = broker.offer(query.get('group') ?? 'primary', query.get('reader') ?? 'unknown', (job) => {
    clearTimeout(timer);
    sendJson(response, job);
  });
  ended.signal.addEventListener('abort', withdraw);
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

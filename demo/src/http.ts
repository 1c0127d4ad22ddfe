import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server does with one request, by `METHOD /path`. */
export type Routes = Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => unknown>
>;

/** Serves the routes; port 0 takes a free one. */
export async function serve(port: number, routes: Routes): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const route = routes[`${request.method ?? 'GET'} ${url.pathname}`];
    if (route === undefined) {
      sendError(response, 404, `there is no ${request.method ?? ''} ${url.pathname}`);
      return;
    }
    Promise.resolve(route(request, response, url.searchParams)).catch((error: unknown) => {
      sendError(response, 400, error instanceof Error ? error.message : String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      resolve();
    });
  });
  return { server, port: (server.address() as AddressInfo).port };
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** An error as the OpenAI API shapes it. */
export function sendError(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.end();
  else sendJson(response, { error: { message, type: status === 404 ? 'not_found' : 'invalid_request_error' } }, status);
}

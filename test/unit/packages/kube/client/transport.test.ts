import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transport } from '../../../../../packages/kube/client/transport.ts';

describe('a request that is aborted', () => {
  let server: Server;
  let transport: Transport;
  /** Answers what was asked so far, and everything that comes later. */
  let answer: () => void;

  beforeEach(async () => {
    const held = Promise.withResolvers<undefined>();
    answer = () => held.resolve(undefined);
    server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/half') response.write('{"half":');
      else void held.promise.then(() => response.end('{"whole":true}'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    transport = new Transport({ server: new URL(`http://127.0.0.1:${port}`) }, { maxConnections: 2 });
  });
  afterEach(async () => {
    answer();
    transport.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const get = (path: string, signal: AbortSignal): Promise<unknown> => transport.json({ method: 'GET', path, signal });

  it('ends with its reason: before it is sent, before its answer, in the midst of it, and without a connection', async () => {
    const stop = new AbortController();
    const requests = ['/half', '/waits', '/queued'].map((path) => get(path, stop.signal));
    const ended = Promise.allSettled(requests);
    await once(server, 'request');
    stop.abort(new Error('enough'));
    const reasons = (await ended).map((result) => (result.status === 'rejected' ? result.reason : result) as Error);
    assert.deepEqual(
      reasons.map(({ message }) => message),
      ['/half', '/waits', '/queued'].map((path) => `GET ${path}: aborted`),
    );
    assert.deepEqual(
      reasons.map(({ cause }) => (cause as Error).message),
      ['enough', 'enough', 'enough'],
    );
    await assert.rejects(get('/late', stop.signal), { message: 'GET /late: aborted' });
  });

  it('ends while whatever gives its token hangs', async () => {
    const hanging = new Transport({
      server: new URL('http://127.0.0.1'),
      credential: () => new Promise(() => undefined),
    });
    const stop = new AbortController();
    const request = hanging.json({ method: 'GET', path: '/a', signal: stop.signal });
    stop.abort();
    await assert.rejects(request, { message: 'GET /a: aborted' });
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });

  it('shares one listener with the others, which goes with the last of them', async () => {
    const { signal } = new AbortController();
    const requests = [get('/a', signal), get('/b', signal), get('/c', signal)];
    await once(server, 'request');
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    answer();
    assert.deepEqual(await Promise.all(requests), [{ whole: true }, { whole: true }, { whole: true }]);
    // The end of a request comes after that of its answer.
    while (getEventListeners(signal, 'abort').length > 0) await new Promise(setImmediate);
  });
});

describe('the name of a program', () => {
  /** The header of one request. */
  async function headerOf(options: { userAgent?: string }): Promise<string | undefined> {
    let header: string | undefined;
    const server = createServer((request, response) => {
      header = request.headers['user-agent'];
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const transport = new Transport({ server: new URL(`http://127.0.0.1:${port}`) }, options);
    await transport.json({ method: 'GET', path: '/' });
    transport.close();
    server.close();
    return header;
  }

  it('is told to the API server as the program gives it', async () => {
    assert.equal(await headerOf({ userAgent: 'widget-operator/1.2.3' }), 'widget-operator/1.2.3');
    assert.equal(await headerOf({}), undefined);
  });
});

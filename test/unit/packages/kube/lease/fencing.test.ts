import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '../../../../../packages/kube/client/client.ts';
import type { Lease } from '../../../../../packages/kube/lease/lease-watch.ts';
import { runElection, type Term } from '../../../../../packages/kube/lease/lease.ts';
import type { ResourceType } from '../../../../../packages/kube/object.ts';

const WIDGETS: ResourceType = { group: 'x', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };
const WIDGET = { apiVersion: 'x/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'ns' } };

describe('a write that is repeated', () => {
  /** How often a write reaches a server whose first answer is this, when the term ends while the first one is under way. */
  async function writesOf(answer: (response: ServerResponse) => void): Promise<number> {
    let over = false;
    let writes = 0;
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        if (request.method !== 'GET') {
          writes += 1;
          over = true;
        }
        if (over && writes === 1) answer(response);
        else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(WIDGET));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const lost = new AbortController();
    const all = new Client({ server: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) });
    const fenced = all.until(lost.signal, () => {
      if (over) lost.abort();
    });
    // A connection that has been used before is the only one that a reset is repeated for.
    await fenced.get(WIDGETS, WIDGET.metadata);
    await assert.rejects(fenced.apply(WIDGETS, WIDGET, { fieldManager: 'test' }));
    all.close();
    server.closeAllConnections();
    server.close();
    return writes;
  }

  it('is not sent again after the term, when its connection was reset', async () => {
    assert.equal(await writesOf(({ socket }) => socket?.resetAndDestroy()), 1);
  });

  it('is not sent again after the term, when the server asked to wait', async () => {
    assert.equal(await writesOf((response) => response.writeHead(429, { 'retry-after': '1' }).end('{}')), 1);
  });
});

describe('work under a Lease', () => {
  let server: Server;
  let client: Client;
  let writes: number;

  beforeEach(async () => {
    writes = 0;
    let lease: unknown = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'lease', namespace: 'ns', resourceVersion: '1' },
    } satisfies Lease;
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const sent = chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as unknown);
        const isLease = request.url?.includes('/leases/') === true;
        if (isLease && request.method === 'PUT') lease = sent;
        if (!isLease) writes += 1;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isLease ? lease : sent));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = new Client({ server: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) });
  });
  afterEach(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });

  it('sends nothing more when the process was held up for longer than the Lease lasts, and no timer has told it', async () => {
    const now = performance.now.bind(performance);
    const end = new AbortController();
    let failure: unknown;
    let over = { before: true, after: false };
    const lead = async ({ client: fenced, lost }: Term): Promise<void> => {
      await fenced.apply(WIDGETS, WIDGET, { fieldManager: 'test' });
      const before = lost.aborted;
      // Held up, as by a stopped process or a long computation: what comes next runs before any timer.
      performance.now = () => now() + 60_000;
      failure = await fenced.apply(WIDGETS, WIDGET, { fieldManager: 'test' }).catch((error: unknown) => error);
      over = { before, after: lost.aborted };
      end.abort();
    };
    try {
      const names = { namespace: 'ns', name: 'lease', identity: 'me' };
      await runElection({ client, ...names, lead }, end.signal);
    } finally {
      performance.now = now;
    }
    assert.match(String(failure), /PATCH .*widgets.*: aborted/);
    assert.equal(writes, 1);
    assert.deepEqual(over, { before: false, after: true });
  });
});

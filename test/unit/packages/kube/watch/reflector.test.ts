import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../../../../packages/kube/client/api-error.ts';
import { Client, type ListOptions, type WatchOptions } from '../../../../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../../../../packages/kube/object.ts';
import { Reflector } from '../../../../../packages/kube/watch/reflector.ts';
import type { Versioned } from '../../../../../packages/kube/watch/store.ts';
import type { WatchEvent } from '../../../../../packages/kube/client/watch-stream.ts';
import { eventually } from '../../../../support/machine/eventually.ts';

const WIDGETS: ResourceType = { group: 'x', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };

function widget(name: string, version: number): KubernetesObject {
  return { apiVersion: 'x/v1', kind: 'Widget', metadata: { name, namespace: 'ns', resourceVersion: String(version) } };
}

/** An API server with some widgets, whose watches say what the test tells them to. */
class FakeApi {
  items: KubernetesObject[] = [];
  version = 1;
  lists = 0;
  watches = 0;
  missing = false;
  /** When lists are answered, if not at once. */
  answer: Promise<undefined> | undefined;
  #wake: (() => void) | undefined;
  readonly #events: (WatchEvent | Error)[] = [];

  readonly client = {
    listEach: async (_: ResourceType, __: ListOptions, onItem: (item: KubernetesObject) => void) => {
      this.lists += 1;
      const { missing } = this;
      await this.answer;
      if (missing) throw new ApiError('GET', 404, { reason: 'NotFound' });
      this.items.forEach(onItem);
      return { resourceVersion: String(this.version) };
    },
    watch: (_: ResourceType, { signal }: WatchOptions) => this.#watch(signal),
  } as unknown as Client;

  send(...events: (WatchEvent | Error)[]): void {
    this.#events.push(...events);
    this.#wake?.();
  }

  async *#watch(signal: AbortSignal | undefined): AsyncGenerator<WatchEvent> {
    this.watches += 1;
    signal?.addEventListener('abort', () => this.#wake?.());
    for (;;) {
      signal?.throwIfAborted();
      const event = this.#events.shift();
      if (event instanceof Error) throw event;
      if (event !== undefined) yield event;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

describe('a reflector', () => {
  let api: FakeApi;
  let stop: AbortController;
  let reflector: Reflector<Versioned>;
  let ended: Promise<void>;

  beforeEach(async () => {
    api = new FakeApi();
    api.items = [widget('a', 1)];
    stop = new AbortController();
    reflector = new Reflector({
      client: api.client,
      type: WIDGETS,
      keep: ({ metadata }) => ({ resourceVersion: Number(metadata.resourceVersion) }),
      random: () => 0,
    });
    ended = reflector.run(stop.signal);
    await reflector.whenSynced;
  });
  afterEach(async () => {
    stop.abort();
    await ended;
  });

  const version = (name: string): number | undefined => reflector.store.get(`ns/${name}`)?.resourceVersion;

  it('does not bring back what was deleted before the answer to an earlier write came', async () => {
    api.send({ type: 'MODIFIED', object: widget('a', 4) }, { type: 'DELETED', object: widget('a', 5) });
    await eventually(() => assert.equal(version('a'), undefined));
    reflector.remember(widget('a', 4));
    assert.equal(version('a'), undefined);
  });

  it('takes the answer to a write that the watch has not brought yet', () => {
    reflector.remember(widget('b', 2));
    assert.equal(version('b'), 2);
  });

  it('is as new as the call after a refresh, although its watch says nothing', async () => {
    api.items = [widget('a', 7), widget('b', 8)];
    api.version = 9;
    await reflector.refresh();
    assert.deepEqual([version('a'), version('b'), api.lists], [7, 8, 2]);
    await eventually(() => assert.equal(api.watches, 2));
  });

  it('does not make a refresh wait for the next look at a resource that is not served', async () => {
    api.missing = true;
    await reflector.refresh();
    assert.deepEqual([reflector.served, version('a')], [false, undefined]);
    api.missing = false;
    await reflector.refresh();
    assert.deepEqual([reflector.served, version('a')], [true, 1]);
  });

  it('lists once more for a refresh that comes while the answer that there is no such resource is on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    Object.assign(api, { missing: true, answer: promise });
    api.send(new ApiError('GET', 410, { reason: 'Expired' }));
    await eventually(() => assert.equal(api.lists, 2));
    const refreshed = reflector.refresh();
    api.missing = false;
    resolve(undefined);
    await refreshed;
    assert.deepEqual([reflector.served, version('a'), api.lists], [true, 1, 3]);
  });

  it('watches again at once after a watch that lived was reset, however often that happens', async () => {
    // Ten resets in a row would mean waits of ten seconds if each counted as a failure; a watch that lived does not.
    const now = performance.now.bind(performance);
    let later = 0;
    performance.now = () => now() + later;
    try {
      for (let reset = 1; reset <= 10; reset += 1) {
        await eventually(() => assert.equal(api.watches, reset));
        later += 60_000;
        api.send(new Error('connection reset'));
      }
      await eventually(() => assert.equal(api.watches, 11), 5_000);
    } finally {
      performance.now = now;
    }
    assert.equal(api.lists, 1);
  });
});

describe('a reflector of what the API server answers with errors only', () => {
  /** Whether whoever waits for the reflector goes on after so many errors, and what it knows by then. */
  async function readyAfter(
    errors: number,
    optional: boolean,
  ): Promise<Pick<Reflector<Versioned>, 'ready' | 'synced'>> {
    const stop = new AbortController();
    let lists = 0;
    const listEach = (): Promise<never> => {
      lists += 1;
      return Promise.reject(new ApiError('GET', 503, {}));
    };
    const reflector = new Reflector({
      client: { listEach } as unknown as Client,
      type: WIDGETS,
      optional,
      keep: ({ metadata }) => ({ resourceVersion: Number(metadata.resourceVersion) }),
      random: () => 0,
    });
    const ended = reflector.run(stop.signal);
    await eventually(() => assert.ok(lists > errors));
    const { ready, synced } = reflector;
    stop.abort();
    await ended;
    return { ready, synced };
  }

  it('keeps others waiting', async () => {
    assert.deepEqual(await readyAfter(3, false), { ready: false, synced: false });
  });

  it('lets others go on without it if it is optional, though not for a single error', async () => {
    assert.deepEqual(await readyAfter(1, true), { ready: false, synced: false });
    assert.deepEqual(await readyAfter(3, true), { ready: true, synced: false });
  });
});

describe('a reflector behind a proxy that cuts quiet connections', () => {
  it('has heard of the server when a watch is accepted, although none lives to bring an event', async () => {
    let cutAt = Infinity;
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.url?.includes('watch=true') !== true) {
        response.end(JSON.stringify({ metadata: { resourceVersion: '5' }, items: [] }));
        return;
      }
      response.flushHeaders();
      if (cutAt < Infinity) return;
      cutAt = performance.now();
      response.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = new Client({ server: new URL(`http://127.0.0.1:${port}`) });
    const keep = ({ metadata }: KubernetesObject): Versioned => ({ resourceVersion: Number(metadata.resourceVersion) });
    const reflector = new Reflector({ client, type: WIDGETS, keep });
    const stop = new AbortController();
    const ended = reflector.run(stop.signal);
    try {
      await eventually(() => {
        const now = performance.now();
        assert.ok(now - reflector.staleness(now) > cutAt, 'the second watch was accepted and is not counted');
      }, 5_000);
    } finally {
      stop.abort();
      await ended;
      client.close();
      server.closeAllConnections();
      server.close();
    }
  });
});

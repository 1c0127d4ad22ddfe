import { isExpired, isNotFound } from '../client/api-error.ts';
import { exponentialDelay, jitter } from '../queue/backoff.ts';
import type { Client } from '../client/client.ts';
import { silentLogger, type Logger } from '../process/log.ts';
import { objectKey, type KubernetesObject, type ResourceType } from '../object.ts';
import { pause } from '../../lib/pause.ts';
import { Store, type Change, type Indexer, type Versioned } from './store.ts';

export interface ReflectorOptions<T extends Versioned> {
  readonly client: Client;
  readonly type: ResourceType;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** What the store keeps of an object; nothing for what it need not keep. */
  readonly keep: (object: KubernetesObject) => T | undefined;
  readonly indexers?: Readonly<Record<string, Indexer<T>>> | undefined;
  readonly onChange?: ((change: Change<T>) => void) | undefined;
  /** Called when the API server begins or ceases to serve the resource. */
  readonly onServed?: ((served: boolean) => void) | undefined;
  readonly pageSize?: number | undefined;
  /** How long the server may be silent before a watch counts as broken. */
  readonly watchIdleMs?: number | undefined;
  /** A store that is older than this is compared with a new list at the next occasion. */
  readonly relistMs?: number | undefined;
  /** How long to wait before looking again for a resource that is not served. */
  readonly absentRetryMs?: number | undefined;
  /** Whether others can do without it: then nobody waits for it while the API server answers with errors only. */
  readonly optional?: boolean | undefined;
  readonly logger?: Logger | undefined;
  readonly random?: (() => number) | undefined;
}

/** A reflector of whatever it keeps. */
export type AnyReflector = Pick<
  Reflector<Versioned>,
  'type' | 'optional' | 'ready' | 'whenReady' | 'staleness' | 'run'
>;

const BACKOFF = { baseMs: 200, maxMs: 10_000 };

/** How often an optional resource is asked for before others go on without it. One error may be an accident. */
const OPTIONAL_TRIES = 3;

/** A watch that lived for this long has done its work, however it ended. */
const LIVED_MS = 1000;

/** As in controller-runtime: what a watch misses is not missed for ever. */
const RELIST_MS = 10 * 3_600_000;

/** As in client-go: the server closes a watch after five to ten minutes, so that watches spread over its replicas. */
const WATCH_SECONDS = { least: 300, most: 600 };

/**
 * Keeps a store equal to what the API server has: lists page by page, watches from there, resumes where a watch broke
 * off, and lists again when the server no longer remembers that point.
 */
export class Reflector<T extends Versioned> {
  readonly store: Store<T>;
  readonly type: ResourceType;
  readonly optional: boolean;
  readonly #options: ReflectorOptions<T>;
  readonly #logger: Logger;
  readonly #firstList = Promise.withResolvers<undefined>();
  readonly #readiness = Promise.withResolvers<undefined>();
  #resourceVersion: string | undefined;
  #newest = 0;
  #served: boolean | undefined;
  #synced = false;
  #ready = false;
  #errors = 0;
  #lastContact = performance.now();
  /** When the last complete list was asked for. */
  #listedAt = -Infinity;
  #refresh: PromiseWithResolvers<undefined> | undefined;
  #interrupt = new AbortController();

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.type = options.type;
    this.optional = options.optional === true;
    this.store = new Store(options.indexers);
    this.#logger = (options.logger ?? silentLogger).with({ resource: options.type.plural });
  }

  /** Whether the store has been filled at least once, or the resource is known not to be served. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Whether others may go on: the store is filled, or the resource is optional and the API server answers with errors only. */
  get ready(): boolean {
    return this.#ready;
  }

  get whenReady(): Promise<undefined> {
    return this.#readiness.promise;
  }

  /** Whether the API server serves the resource; unknown before the first answer. */
  get served(): boolean | undefined {
    return this.#served;
  }

  /** Resolves with the first complete list, or with the answer that there is no such resource. */
  get whenSynced(): Promise<undefined> {
    return this.#firstList.promise;
  }

  /** Milliseconds since the server last said something about this resource. */
  staleness(now = performance.now()): number {
    return now - this.#lastContact;
  }

  /** Milliseconds since the last complete list was asked for. */
  age(now = performance.now()): number {
    return now - this.#listedAt;
  }

  /**
   * Lists once more, and resolves when the store is at least as new as this call. A watch whose connection died silently would
   * bring nothing, and nobody would know.
   */
  refresh(): Promise<undefined> {
    this.#refresh ??= Promise.withResolvers<undefined>();
    this.#interrupt.abort();
    return this.#refresh.promise;
  }

  /** Puts the answer to a write into the store, so that the writer need not wait for the watch. */
  remember(object: KubernetesObject, kept: T | undefined = this.#options.keep(object)): void {
    if (kept === undefined) return;
    const key = objectKey(object.metadata);
    // The watch has passed this version already: what is not in the store was deleted since, and must not come back.
    if (this.store.get(key) === undefined && kept.resourceVersion <= this.#newest) return;
    this.store.set(key, kept);
  }

  /** Lists and watches until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const started = performance.now();
      let failed = false;
      this.#interrupt = new AbortController();
      const refresh = this.#refresh;
      try {
        if (refresh !== undefined || this.#isOld()) this.#resourceVersion = undefined;
        if (this.#resourceVersion === undefined) await this.#list(signal, refresh);
        if (this.#refresh === undefined) await this.#watch(signal);
      } catch (error) {
        failed = true;
        this.#onError(error, signal, refresh);
      }
      if (this.#refresh !== undefined && !failed) continue;
      // A watch that the server ends at once is no better than an error.
      const lived = performance.now() - started > LIVED_MS;
      failures = lived ? 0 : failures + 1;
      await this.#pause(failed ? Math.max(1, failures) : failures, signal);
    }
    this.#refresh?.resolve(undefined);
  }

  #heard(): void {
    this.#lastContact = performance.now();
  }

  #isOld(): boolean {
    return this.age() > (this.#options.relistMs ?? RELIST_MS);
  }

  async #list(signal: AbortSignal, refresh: PromiseWithResolvers<undefined> | undefined): Promise<void> {
    const { client, type, labelSelector, fieldSelector, keep, pageSize = 500 } = this.#options;
    const started = performance.now();
    const items = new Map<string, T>();
    const onItem = (object: KubernetesObject): void => {
      const kept = keep(object);
      if (kept !== undefined) items.set(objectKey(object.metadata), kept);
    };
    let page;
    do {
      const next: string | undefined = page?.continue;
      const query = { labelSelector, fieldSelector, limit: pageSize, continue: next, signal };
      page = await client.listEach(type, query, onItem);
      this.#heard();
    } while ((page.continue ?? '') !== '');
    const version = page.resourceVersion;
    this.#forgetTheFuture(Number(version));
    this.#resourceVersion = version;
    this.#markServed(true);
    this.#notify(this.store.replace(items, Number(version)));
    this.#listedAt = started;
    this.#markSynced(refresh);
  }

  /** After a restore from a backup versions start lower again, and what we know no longer counts. */
  #forgetTheFuture(version: number): void {
    if (version < this.#newest) this.#notify(this.store.replace(new Map(), Infinity));
    this.#newest = version;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, type, labelSelector, fieldSelector, watchIdleMs, random = Math.random } = this.#options;
    const timeoutSeconds = Math.round(WATCH_SECONDS.least + (WATCH_SECONDS.most - WATCH_SECONDS.least) * random());
    const interrupt = this.#interrupt;
    const events = client.watch(type, {
      labelSelector,
      fieldSelector,
      resourceVersion: this.#resourceVersion,
      timeoutSeconds,
      idleMs: watchIdleMs,
      // A proxy may cut every quiet connection before the first bookmark, so an accepted watch counts as news.
      onAccepted: () => this.#heard(),
      isKnown: (metadata) => this.#knows(metadata),
      signal: AbortSignal.any([signal, interrupt.signal]),
    });
    try {
      for await (const { type: kind, object } of events) this.#onEvent(kind, object);
    } catch (error) {
      if (interrupt.signal.aborted) return;
      throw error;
    }
    // The server ended the watch in good order, so it is alive.
    this.#heard();
  }

  #onEvent(kind: string, object: KubernetesObject): void {
    this.#heard();
    const version = object.metadata.resourceVersion ?? '';
    if (kind !== 'BOOKMARK') this.#absorb(kind === 'DELETED', object, Number(version));
    this.#resourceVersion = version;
    this.#newest = Number(version);
  }

  #knows(metadata: KubernetesObject['metadata']): boolean {
    const known = this.store.get(objectKey(metadata))?.resourceVersion ?? 0;
    return known >= Number(metadata.resourceVersion);
  }

  #absorb(deleted: boolean, object: KubernetesObject, version: number): void {
    // Most events are echoes of writes whose answers are in the store already: they need not be looked into.
    if (!deleted && this.#knows(object.metadata)) return;
    const key = objectKey(object.metadata);
    const kept = deleted ? undefined : this.#options.keep(object);
    const change = kept === undefined ? this.store.delete(key, version) : this.store.set(key, kept);
    if (change !== undefined) this.#notify([change]);
  }

  #onError(error: unknown, signal: AbortSignal, refresh: PromiseWithResolvers<undefined> | undefined): void {
    if (signal.aborted) return;
    if (isExpired(error)) {
      this.#logger.info('The API server no longer remembers where the watch was, so everything is listed again.');
      this.#resourceVersion = undefined;
    } else if (isNotFound(error)) {
      // The resource itself is not there: a list of something that exists is never "not found".
      this.#heard();
      this.#resourceVersion = undefined;
      this.#markServed(false);
      this.#notify(this.store.replace(new Map(), Infinity));
      this.#markSynced(refresh);
    } else {
      this.#logger.warn('Listing or watching failed and will be retried.', { error });
      this.#errors += 1;
      if (this.optional && this.#errors >= OPTIONAL_TRIES) this.#markReady();
    }
  }

  async #pause(failures: number, signal: AbortSignal): Promise<void> {
    const { random, absentRetryMs = 15_000 } = this.#options;
    if (failures === 0) return;
    const delay = this.#served === false ? absentRetryMs : exponentialDelay(failures - 1, BACKOFF);
    await pause(jitter(delay, random), AbortSignal.any([signal, this.#interrupt.signal]));
  }

  #markServed(served: boolean): void {
    if (this.#served === served) return;
    this.#served = served;
    this.#logger.info(served ? 'The API server serves this resource.' : 'The API server does not serve this resource.');
    this.#options.onServed?.(served);
  }

  #markReady(): void {
    this.#ready = true;
    this.#readiness.resolve(undefined);
  }

  /** The store is as new as the refresh that was asked for before the list, if one was. */
  #markSynced(refresh: PromiseWithResolvers<undefined> | undefined): void {
    this.#synced = true;
    this.#firstList.resolve(undefined);
    this.#markReady();
    if (refresh === undefined) return;
    refresh.resolve(undefined);
    if (this.#refresh === refresh) this.#refresh = undefined;
  }

  #notify(changes: readonly Change<T>[]): void {
    for (const change of changes) this.#options.onChange?.(change);
  }
}

import { isExpired, isNotFound } from './api-error.ts';
import { exponentialDelay, jitter } from './backoff.ts';
import type { Client } from './client.ts';
import { silentLogger, type Logger } from './log.ts';
import { objectKey, type KubernetesObject, type ResourceType } from './object.ts';
import { pause } from './pause.ts';
import { Store, type Change, type Indexer, type Versioned } from './store.ts';

export interface ReflectorOptions<T extends Versioned> {
  readonly client: Client;
  readonly type: ResourceType;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** What the store keeps of an object; nothing for what it need not keep. */
  readonly keep: (object: KubernetesObject) => T | undefined;
  readonly indexers?: Readonly<Record<string, Indexer<T>>>;
  readonly onChange?: (change: Change<T>) => void;
  /** Called when the API server begins or ceases to serve the resource. */
  readonly onServed?: (served: boolean) => void;
  readonly pageSize?: number;
  /** How long the server may be silent before a watch counts as broken. */
  readonly watchIdleMs?: number;
  /** How long to wait before looking again for a resource that is not served. */
  readonly absentRetryMs?: number;
  readonly logger?: Logger;
  readonly random?: () => number;
}

/** A reflector of whatever it keeps. */
export type AnyReflector = Pick<
  Reflector<Versioned>,
  'type' | 'synced' | 'served' | 'whenSynced' | 'lists' | 'staleness' | 'run'
>;

const BACKOFF = { baseMs: 200, maxMs: 10_000 };

/** As client-go: the server closes a watch after five to ten minutes, so that watches spread over its replicas. */
const WATCH_SECONDS = { least: 300, most: 600 };

/**
 * Keeps a store equal to what the API server has: lists page by page, watches from there, resumes where a watch broke
 * off, and lists again when the server no longer remembers that point.
 */
export class Reflector<T extends Versioned> {
  readonly store: Store<T>;
  readonly type: ResourceType;
  readonly #options: ReflectorOptions<T>;
  readonly #logger: Logger;
  readonly #firstList = Promise.withResolvers<undefined>();
  #resourceVersion: string | undefined;
  #newest = 0;
  #served: boolean | undefined;
  #synced = false;
  #lastContact = performance.now();
  #lists = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.type = options.type;
    this.store = new Store(options.indexers);
    this.#logger = (options.logger ?? silentLogger).with({ resource: options.type.plural });
  }

  /** Whether the store has been filled at least once, or the resource is known not to be served. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Whether the API server serves the resource; unknown before the first answer. */
  get served(): boolean | undefined {
    return this.#served;
  }

  /** Resolves with the first complete list, or with the answer that there is no such resource. */
  get whenSynced(): Promise<undefined> {
    return this.#firstList.promise;
  }

  /** How many complete lists were needed so far: one, unless the server forgot where we were. */
  get lists(): number {
    return this.#lists;
  }

  /** Milliseconds since the server last said something about this resource. */
  staleness(now = performance.now()): number {
    return now - this.#lastContact;
  }

  /** Puts the answer to a write into the store, so that the writer need not wait for the watch. */
  remember(object: KubernetesObject): void {
    const kept = this.#options.keep(object);
    if (kept !== undefined) this.store.set(objectKey(object.metadata), kept);
  }

  /** Lists and watches until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const started = performance.now();
      try {
        if (this.#resourceVersion === undefined) await this.#list(signal);
        await this.#watch(signal);
        // A watch that the server ends at once is no better than an error.
        failures = performance.now() - started > 1000 ? 0 : failures + 1;
      } catch (error) {
        failures += 1;
        this.#onError(error, signal);
      }
      await this.#pause(failures, signal);
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { client, type, labelSelector, fieldSelector, keep, pageSize = 500 } = this.#options;
    const items = new Map<string, T>();
    let page;
    do {
      const next: string | undefined = page?.metadata.continue;
      page = await client.list(type, { labelSelector, fieldSelector, limit: pageSize, continue: next, signal });
      this.#lastContact = performance.now();
      for (const object of page.items) {
        const kept = keep(object);
        if (kept !== undefined) items.set(objectKey(object.metadata), kept);
      }
    } while ((page.metadata.continue ?? '') !== '');
    const version = page.metadata.resourceVersion;
    this.#forgetTheFuture(Number(version));
    this.#resourceVersion = version;
    this.#lists += 1;
    this.#markServed(true);
    this.#notify(this.store.replace(items, Number(version)));
    this.#markSynced();
  }

  /** After a restore from a backup versions start again lower, and what we know counts for nothing. */
  #forgetTheFuture(version: number): void {
    if (version < this.#newest) this.#notify(this.store.replace(new Map(), Infinity));
    this.#newest = version;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { client, type, labelSelector, fieldSelector, watchIdleMs, random = Math.random } = this.#options;
    const timeoutSeconds = Math.round(WATCH_SECONDS.least + (WATCH_SECONDS.most - WATCH_SECONDS.least) * random());
    const resourceVersion = this.#resourceVersion;
    const events = client.watch(type, {
      labelSelector,
      fieldSelector,
      resourceVersion,
      timeoutSeconds,
      idleMs: watchIdleMs,
      signal,
    });
    for await (const { type: kind, object } of events) {
      this.#lastContact = performance.now();
      const version = object.metadata.resourceVersion ?? '';
      if (kind !== 'BOOKMARK') this.#absorb(kind === 'DELETED', object, Number(version));
      this.#resourceVersion = version;
      this.#newest = Number(version);
    }
    // The server ended the watch in good order, so it is alive.
    this.#lastContact = performance.now();
  }

  #absorb(deleted: boolean, object: KubernetesObject, version: number): void {
    const key = objectKey(object.metadata);
    // Most events are echoes of writes whose answers are in the store already: they need not be looked into.
    if (!deleted && (this.store.get(key)?.resourceVersion ?? 0) >= version) return;
    const kept = deleted ? undefined : this.#options.keep(object);
    const change = kept === undefined ? this.store.delete(key, version) : this.store.set(key, kept);
    if (change !== undefined) this.#notify([change]);
  }

  #onError(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    if (isExpired(error)) {
      this.#logger.info('The API server no longer remembers where the watch was, so everything is listed again.');
      this.#resourceVersion = undefined;
    } else if (isNotFound(error)) {
      // The resource itself is not there: a list of something that exists is never "not found".
      this.#lastContact = performance.now();
      this.#resourceVersion = undefined;
      this.#markServed(false);
      this.#notify(this.store.replace(new Map(), Infinity));
      this.#markSynced();
    } else {
      this.#logger.warn('Listing or watching failed and is tried again.', { error });
    }
  }

  async #pause(failures: number, signal: AbortSignal): Promise<void> {
    const { random, absentRetryMs = 15_000 } = this.#options;
    if (failures === 0) return;
    const delay = this.#served === false ? absentRetryMs : exponentialDelay(failures - 1, BACKOFF);
    await pause(jitter(delay, random), signal);
  }

  #markServed(served: boolean): void {
    if (this.#served === served) return;
    this.#served = served;
    this.#logger.info(served ? 'The API server serves this resource.' : 'The API server does not serve this resource.');
    this.#options.onServed?.(served);
  }

  #markSynced(): void {
    this.#synced = true;
    this.#firstList.resolve(undefined);
  }

  #notify(changes: readonly Change<T>[]): void {
    for (const change of changes) this.#options.onChange?.(change);
  }
}

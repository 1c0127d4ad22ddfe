import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error.ts';
import type { IsKnown } from './bounded-json.ts';
import type { Connection } from '../connect/connection.ts';
import { readList } from './list-stream.ts';
import { apiVersionOf, type KubernetesObject, type ObjectRef, type ResourceType } from '../object.ts';
import { readObject, Transport, type HttpRequest, type TransportOptions } from './transport.ts';
import { readWatch, type WatchEvent } from './watch-stream.ts';

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ObjectList {
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
  readonly items: KubernetesObject[];
}

export interface WatchOptions extends Pick<
  ListOptions,
  'namespace' | 'labelSelector' | 'fieldSelector' | 'resourceVersion' | 'signal'
> {
  readonly timeoutSeconds?: number | undefined;
  /** How long the server may be silent before the watch counts as broken. */
  readonly idleMs?: number | undefined;
  /** Called when the server has accepted the watch, which may be long before the first event. */
  readonly onAccepted?: (() => void) | undefined;
  /** Which objects need not be read, since nothing about them is new. */
  readonly isKnown?: IsKnown | undefined;
}

export interface ApplyOptions {
  readonly fieldManager: string;
  /** Take over fields that another manager has set. */
  readonly force?: boolean;
  readonly subresource?: 'status';
  readonly dryRun?: boolean;
}

export interface DeleteOptions {
  /** Refuse if the object is not this one any more. */
  readonly preconditions?: { readonly uid?: string | undefined; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  /** 0 removes a pod without waiting for its kubelet. */
  readonly gracePeriodSeconds?: number;
}

/** The API server sends a bookmark about once a minute: one that is silent for two is gone. */
const WATCH_IDLE_MS = 120_000;

/** The verbs of the Kubernetes API on any resource, and nothing more: no cache, no retry of refusals. */
export class Client {
  readonly #transport: Transport;
  readonly #signal: AbortSignal | undefined;
  readonly #beforeRequest: (() => void) | undefined;

  constructor(
    to: Connection | Transport,
    options: TransportOptions = {},
    signal?: AbortSignal,
    beforeRequest?: () => void,
  ) {
    this.#transport = to instanceof Transport ? to : new Transport(to, options);
    this.#signal = signal;
    this.#beforeRequest = beforeRequest;
  }

  /**
   * The same client, whose requests are aborted with the signal. `beforeRequest` may abort the signal, and then the request is not
   * sent.
   */
  until(signal: AbortSignal, beforeRequest?: () => void): Client {
    return new Client(this.#transport, {}, signal, beforeRequest);
  }

  async get(type: ResourceType, ref: ObjectRef): Promise<KubernetesObject> {
    return this.#object('GET', pathOf(type, ref.namespace, ref.name));
  }

  /** One page; `metadata.continue` names the next. */
  async list(type: ResourceType, options: ListOptions = {}): Promise<ObjectList> {
    const items: KubernetesObject[] = [];
    return { metadata: await this.listEach(type, options, (item) => items.push(item)), items };
  }

  /** One page, whose items are handed over one by one, so that nobody has to hold all of them. */
  async listEach(
    type: ResourceType,
    options: ListOptions,
    onItem: (item: KubernetesObject) => void,
  ): Promise<ObjectList['metadata']> {
    const { namespace, signal = this.#signal, ...query } = options;
    const path = withQuery(pathOf(type, namespace), query);
    // Items of a list come without apiVersion and kind, since the list has them.
    const identity = { apiVersion: apiVersionOf(type), kind: type.kind };
    const read = (response: IncomingMessage): Promise<unknown> =>
      readList(response, (item) => onItem(Object.assign(item as KubernetesObject, identity)));
    return ((await this.#request({ method: 'GET', path, signal, read })) as ObjectList).metadata;
  }

  /** Every object, page by page. */
  async listAll(type: ResourceType, options: ListOptions = {}): Promise<KubernetesObject[]> {
    const items: KubernetesObject[] = [];
    let next: string | undefined;
    do {
      const page = await this.list(type, { limit: 500, ...options, continue: next });
      items.push(...page.items);
      next = page.metadata.continue;
    } while (next !== undefined && next !== '');
    return items;
  }

  /** Events from `resourceVersion` on, bookmarks included, until the server ends the watch. */
  async *watch(type: ResourceType, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
    const { namespace, signal = this.#signal, idleMs = WATCH_IDLE_MS, onAccepted, isKnown, ...query } = options;
    const path = withQuery(pathOf(type, namespace), { ...query, watch: true, allowWatchBookmarks: true });
    const response = await this.#transport.stream({ method: 'GET', path, signal }, idleMs);
    onAccepted?.();
    for await (const event of readWatch(response, isKnown)) {
      if (event.type === 'ERROR') {
        const { code } = event.object as { code?: number };
        throw new ApiError(`GET ${path}`, code ?? 500, event.object);
      }
      yield event;
    }
  }

  async create(type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
    return this.#object('POST', pathOf(type, object.metadata.namespace), object);
  }

  /** Replaces the object; the API server refuses it with a conflict when `resourceVersion` is not the newest. */
  async update(type: ResourceType, object: KubernetesObject, subresource?: 'status'): Promise<KubernetesObject> {
    const { namespace, name } = object.metadata;
    return this.#object('PUT', pathOf(type, namespace, name, subresource), object);
  }

  /** Server-side apply: sets these fields, and removes others that this manager has set before. */
  async apply(type: ResourceType, object: KubernetesObject, options: ApplyOptions): Promise<KubernetesObject> {
    const { fieldManager, force, subresource, dryRun } = options;
    // Unknown fields are refused either way, and validating them makes the API server read the body twice.
    const fieldValidation = 'Ignore';
    const query = { fieldManager, force, fieldValidation, dryRun: dryRun === true ? 'All' : undefined };
    const path = withQuery(pathOf(type, object.metadata.namespace, object.metadata.name, subresource), query);
    return this.#object('PATCH', path, object, 'application/apply-patch+yaml');
  }

  /** RFC 7386: what is null is removed, what is missing stays. */
  async mergePatch(
    type: ResourceType,
    ref: ObjectRef,
    patch: Readonly<Record<string, unknown>>,
    options: { readonly fieldManager?: string; readonly subresource?: 'status' } = {},
  ): Promise<KubernetesObject> {
    const path = withQuery(pathOf(type, ref.namespace, ref.name, options.subresource), {
      fieldManager: options.fieldManager,
    });
    return this.#object('PATCH', path, patch, 'application/merge-patch+json');
  }

  /** RFC 6902: operations in order, all or none. */
  async jsonPatch(
    type: ResourceType,
    ref: ObjectRef,
    operations: readonly { op: 'add' | 'replace' | 'remove' | 'test'; path: string; value?: unknown }[],
    subresource?: 'status',
  ): Promise<KubernetesObject> {
    const path = pathOf(type, ref.namespace, ref.name, subresource);
    return this.#object('PATCH', path, operations, 'application/json-patch+json');
  }

  async delete(type: ResourceType, ref: ObjectRef, options: DeleteOptions = {}): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', ...options };
    const path = pathOf(type, ref.namespace, ref.name);
    await this.#request({ method: 'DELETE', path, body, read: readObject });
  }

  /** Any other path: discovery, health, scale. */
  async raw(path: string): Promise<unknown> {
    return this.#request({ method: 'GET', path });
  }

  close(): void {
    this.#transport.close();
  }

  async #object(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<KubernetesObject> {
    return (await this.#request({ method, path, body, contentType, read: readObject })) as KubernetesObject;
  }

  #request(request: HttpRequest): Promise<unknown> {
    return this.#transport.json({ signal: this.#signal, before: this.#beforeRequest, ...request });
  }
}

/** `/apis/<group>/<version>/namespaces/<namespace>/<plural>/<name>/<subresource>` as far as it is given. */
export function pathOf(type: ResourceType, namespace?: string, name?: string, subresource?: string): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope = type.namespaced && namespace !== undefined ? ['namespaces', namespace] : [];
  const parts = [...scope, type.plural, name, subresource].filter((part) => part !== undefined);
  return [root, ...parts.map(encodeURIComponent)].join('/');
}

function withQuery(path: string, query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, String(value));
  return text.size === 0 ? path : `${path}?${text.toString()}`;
}

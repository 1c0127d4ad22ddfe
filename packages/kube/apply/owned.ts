import type { Client } from '../client/client.ts';
import { appliedFingerprint, hasApplied } from './fingerprint.ts';
import type { Logger } from '../process/log.ts';
import {
  apiVersionOf,
  controllerOf,
  objectKey,
  type KubernetesObject,
  type OwnerReference,
  type ResourceType,
} from '../object.ts';
import { Reflector } from '../watch/reflector.ts';
import type { Change, Versioned } from '../watch/store.ts';

/** What is kept of an object that we own: enough to see drift and to report, not the object itself. */
export interface OwnedObject<D> extends Versioned {
  /** Distinguishes it from a later object of the same name. */
  readonly uid: string | undefined;
  /** Of the fields that we have applied; missing when we have applied none. */
  readonly fingerprint: string | undefined;
  readonly controller: OwnerReference | undefined;
  readonly deleting: boolean;
  /** Key of what it was made for. */
  readonly owner: string | undefined;
  /** Whether `spec.replicas` is ours: giving it up needs care. */
  readonly replicasApplied: boolean;
  readonly details: D | undefined;
}

export interface OwnedKind {
  readonly type: ResourceType;
  /** Not part of Kubernetes itself: may be missing, appear and vanish. */
  readonly optional?: boolean | undefined;
}

export interface OwnedKindsOptions<D> {
  readonly client: Client;
  readonly kinds: readonly OwnedKind[];
  readonly labelSelector: string;
  readonly fieldManager: string;
  readonly ownerOf: (object: KubernetesObject) => string | undefined;
  readonly detailsOf: (object: KubernetesObject) => D | undefined;
  /** Called with the key of what a changed object was made for, and with its version, or without one when it is gone. */
  readonly onOwner: (owner: string, object: string, version?: number) => void;
  /** Called when the answer to a write has been put into the store. */
  readonly onWritten: (owner: string, object: string, version: number) => void;
  /** Called when an optional kind appears or vanishes. */
  readonly onServed: (kind: string, served: boolean) => void;
  readonly absentRetryMs?: number | undefined;
  readonly watchIdleMs?: number | undefined;
  readonly logger?: Logger | undefined;
}

/** The objects of all kinds that we make, each kind seen through one reflector. */
export class OwnedKinds<D = unknown> {
  readonly reflectors: readonly Reflector<OwnedObject<D>>[];
  readonly #options: OwnedKindsOptions<D>;
  readonly #byKind: ReadonlyMap<string, Reflector<OwnedObject<D>>>;

  constructor(options: OwnedKindsOptions<D>) {
    this.#options = options;
    this.reflectors = options.kinds.map((kind) => this.#reflector(kind));
    this.#byKind = new Map(this.reflectors.map((reflector) => [reflector.type.kind, reflector]));
  }

  get(kind: string, key: string): OwnedObject<D> | undefined {
    return this.#byKind.get(kind)?.store.get(key);
  }

  /** Whether what we know of this kind, in this version if one is named, can be relied on. */
  known(kind: string, apiVersion?: string): boolean {
    const reflector = this.#byKind.get(kind);
    if (reflector?.synced !== true || reflector.served !== true) return false;
    return apiVersion === undefined || apiVersionOf(reflector.type) === apiVersion;
  }

  /** Whether the API server has answered that there is no such kind. */
  isAbsent(kind: string): boolean {
    return this.#byKind.get(kind)?.served === false;
  }

  /** Whether it is unknown if there is such a kind, because the API server has answered with errors only. */
  isUnanswered(kind: string): boolean {
    return this.#byKind.get(kind)?.synced === false;
  }

  typeOf(object: { apiVersion: string; kind: string }): ResourceType {
    const type = this.#byKind.get(object.kind)?.type;
    if (type === undefined || apiVersionOf(type) !== object.apiVersion) {
      throw new Error(`${object.apiVersion} ${object.kind} is not among the kinds that this operator makes`);
    }
    return type;
  }

  /** Puts the answer to a write into the store and returns what is kept of it. */
  remember(object: KubernetesObject): OwnedObject<D> {
    const key = objectKey(object.metadata);
    const known = this.get(object.kind, key);
    // The watch is often faster than the answer, and has brought the same.
    const kept = known?.resourceVersion === Number(object.metadata.resourceVersion) ? known : this.#keep(object);
    this.#byKind.get(object.kind)?.remember(object, kept);
    if (kept.owner !== undefined) this.#options.onWritten(kept.owner, `${object.kind}/${key}`, kept.resourceVersion);
    return kept;
  }

  #reflector({ type, optional }: OwnedKind): Reflector<OwnedObject<D>> {
    const { client, labelSelector, onServed, absentRetryMs, watchIdleMs, logger } = this.#options;
    return new Reflector({
      client,
      type,
      optional,
      labelSelector,
      absentRetryMs,
      watchIdleMs,
      logger,
      keep: (object) => this.#keep(object),
      onChange: (change) => this.#notify(type.kind, change),
      onServed: (served) => {
        if (optional === true) onServed(type.kind, served);
      },
    });
  }

  #notify(kind: string, { key, before, after }: Change<OwnedObject<D>>): void {
    for (const owner of new Set([before?.owner, after?.owner])) {
      if (owner !== undefined) this.#options.onOwner(owner, `${kind}/${key}`, after?.resourceVersion);
    }
  }

  #keep(object: KubernetesObject): OwnedObject<D> {
    const { fieldManager, ownerOf, detailsOf } = this.#options;
    const { metadata } = object;
    return {
      resourceVersion: Number(metadata.resourceVersion),
      uid: metadata.uid,
      fingerprint: appliedFingerprint(object, fieldManager),
      controller: controllerOf(metadata),
      deleting: metadata.deletionTimestamp !== undefined,
      owner: ownerOf(object),
      replicasApplied: hasApplied(object, fieldManager, ['spec', 'replicas']),
      details: detailsOf(object),
    };
  }
}

import { isNotFound } from '../client/api-error.ts';
import type { Client } from '../client/client.ts';
import { objectKey, type KubernetesObject, type ResourceType } from '../object.ts';

export const LEASES: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export interface Lease extends KubernetesObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** Where a Lease is. */
export interface LeaseRef {
  readonly namespace: string;
  readonly name: string;
}

/** A Lease as it was seen. */
export interface Observation {
  /** Nothing when there is none. */
  readonly lease: Lease | undefined;
  /** For how long it has been as it is, at least. */
  readonly unchangedMs: number;
  /** Nobody can be at work under it: it was given back, or has not changed for as long as its last holder may go on. */
  readonly free: boolean;
}

export interface LeaseWatchOptions {
  readonly client: Client;
  /** How long a holder that we have never seen may still go on when the Lease is missing, or is new. */
  readonly presumedMs: number;
  /** All who ask within this time share one answer. */
  readonly sharedMs?: number;
  readonly now?: () => number;
}

/** What is remembered of a Lease. */
interface Seen {
  readonly version: string;
  readonly at: number;
  /** How long its last holder may go on without renewing it. */
  readonly heldMs: number;
}

/** Tells whether Leases are free without trusting anybody else's clock: it counts from when it first saw them as they are. */
export class LeaseWatch {
  readonly #options: LeaseWatchOptions;
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();
  readonly #shared = new Map<string, { readonly answer: Promise<Observation>; readonly at: number }>();

  constructor(options: LeaseWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  observe(ref: LeaseRef): Promise<Observation> {
    const key = objectKey(ref);
    const shared = this.#shared.get(key);
    const at = this.#now();
    if (shared !== undefined && at - shared.at < (this.#options.sharedMs ?? 0)) return shared.answer;
    const answer = this.#read(ref, key);
    this.#shared.set(key, { answer, at });
    return answer;
  }

  async #read(ref: LeaseRef, key: string): Promise<Observation> {
    // The answer was true at some moment after the request, and may have changed since.
    const requestedAt = this.#now();
    const lease = await this.#get(ref);
    const before = this.#seen.get(key);
    const version = lease === undefined ? '' : `${lease.metadata.uid}/${lease.metadata.resourceVersion}`;
    const holder = lease?.spec?.holderIdentity ?? '';
    const held = holder === '' ? undefined : (lease?.spec?.leaseDurationSeconds ?? 0) * 1000;
    const heldMs = held ?? before?.heldMs ?? this.#options.presumedMs;
    const at = before?.version === version ? before.at : this.#now();
    this.#seen.set(key, { version, at, heldMs });
    const unchangedMs = Math.max(0, requestedAt - at);
    return { lease, unchangedMs, free: wasGivenBack(lease) || unchangedMs >= heldMs };
  }

  async #get(ref: LeaseRef): Promise<Lease | undefined> {
    return this.#options.client.get(LEASES, ref).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }
}

/** A Lease that was never held may replace one that was deleted while its holder is still at work. */
function wasGivenBack(lease: Lease | undefined): boolean {
  const { holderIdentity = '', leaseTransitions } = lease?.spec ?? {};
  return holderIdentity === '' && leaseTransitions !== undefined;
}

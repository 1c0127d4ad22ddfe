import type { Client } from './client.ts';
import type { KubernetesObject, ResourceType } from './object.ts';

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

/**
 * Tells whether Leases have run out without trusting anybody else's clock: a Lease has when it has not changed for its
 * whole duration since we first saw it as it is.
 */
export class LeaseWatch {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #now: () => number;
  readonly #seen = new Map<string, { version: string | undefined; at: number }>();

  constructor(client: Client, namespace: string, now: () => number = () => performance.now()) {
    this.#client = client;
    this.#namespace = namespace;
    this.#now = now;
  }

  /** Reads the Lease; an ApiError when there is none. */
  async observe(name: string): Promise<{ lease: Lease; expired: boolean }> {
    const lease = (await this.#client.get(LEASES, { namespace: this.#namespace, name })) as Lease;
    const version = lease.metadata.resourceVersion;
    const seen = this.#seen.get(name);
    const at = seen?.version === version && seen !== undefined ? seen.at : this.#now();
    this.#seen.set(name, { version, at });
    const expired = this.#now() - at >= (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    return { lease, expired };
  }
}

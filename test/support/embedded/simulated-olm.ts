import { setTimeout } from 'node:timers/promises';
import { CATALOGS, EXTENSIONS } from '../../../components/olm/resource-types.ts';
import { optional } from '../../../packages/kube/client/optional.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';

const EVERY_MS = 200;

/** Reports on catalogs and extensions as OLM would, but installs nothing. For versions that cannot be built here. */
export class SimulatedOlm {
  readonly #client: Client;
  readonly #version: string;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /** Every extension resolves to `version`. */
  constructor(client: Client, version: string) {
    this.#client = client;
    this.#version = version;
    this.#running = this.#run();
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      for (const catalog of await optional(this.#client.listAll(CATALOGS))) await this.#serve(catalog);
      for (const extension of await optional(this.#client.listAll(EXTENSIONS))) await this.#install(extension);
      await setTimeout(EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #serve({ metadata, spec }: KubernetesObject): Promise<void> {
    const { ref } = (spec as { source: { image: { ref: string } } }).source.image;
    const resolvedSource = { type: 'Image', image: { ref } };
    const status = { conditions: [condition('Serving', 'Available')], resolvedSource };
    await this.#client.mergePatch(CATALOGS, metadata, { status }, { subresource: 'status' });
  }

  async #install({ metadata }: KubernetesObject): Promise<void> {
    const bundle = { name: `inference-stack-operator.v${this.#version}`, version: this.#version };
    const status = { conditions: [condition('Installed', 'Succeeded')], install: { bundle } };
    await this.#client.mergePatch(EXTENSIONS, metadata, { status }, { subresource: 'status' });
  }
}

function condition(type: string, reason: string): object {
  return { type, reason, status: 'True', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

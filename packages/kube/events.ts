import { createHash } from 'node:crypto';
import { isNotFound } from './client/api-error.ts';
import type { Client } from './client/client.ts';
import { silentLogger, type Logger } from './process/log.ts';
import type { KubernetesObject, ResourceType } from './object.ts';

export const EVENTS: ResourceType = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

export interface EventInput {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export interface EventRecorderOptions {
  readonly client: Client;
  /** Who reports: the operator's name and the pod's. */
  readonly component: string;
  readonly instance: string;
  readonly now?: () => Date;
  readonly logger?: Logger;
}

/** An Event that is repeated within this time is counted instead of written anew. */
const SERIES_MS = 10 * 60_000;

/** client-go's limits for one object: a burst of 25, then one in five minutes. */
const BURST = 25;
const REFILL_MS = 5 * 60_000;

const MESSAGE_LIMIT = 1024;
const MOST_PENDING = 1000;

interface Series {
  name: string;
  count: number;
  lastMs: number;
}

/** Tells people what happened to an object; the same thing twice becomes one Event with a count. */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #series = new Map<string, Series>();
  #written = Promise.resolve();
  #pending = 0;
  readonly #budgets = new Map<string, { left: number; at: number }>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /**
   * Returns at once and never fails: an Event is only news, and nobody should wait for it or fail because of it. Events are
   * written one after the other, so that the same thing twice finds its first Event; in a flood the last ones are lost.
   */
  record(about: KubernetesObject, input: EventInput): void {
    const { logger = silentLogger, now = () => new Date() } = this.#options;
    const time = now();
    if (this.#pending >= MOST_PENDING || !this.#mayWrite(about.metadata.uid ?? '', time.getTime())) return;
    this.#pending += 1;
    this.#written = this.#written
      .then(() => this.#write(about, input, time))
      .catch((error: unknown) => logger.warn('An Event could not be written.', { reason: input.reason, error }))
      .finally(() => (this.#pending -= 1));
  }

  /** Resolves when everything that was recorded so far has been written. */
  async flush(): Promise<void> {
    await this.#written;
  }

  async #write(about: KubernetesObject, input: EventInput, time: Date): Promise<void> {
    this.#expire(time.getTime());
    const key = [about.metadata.uid, input.type, input.reason, input.message].join('\0');
    const series = this.#series.get(key);
    const timestamp = time.toISOString();
    if (series !== undefined) {
      series.count += 1;
      series.lastMs = time.getTime();
      const ref = { namespace: namespaceOf(about), name: series.name };
      try {
        await this.#options.client.mergePatch(EVENTS, ref, { count: series.count, lastTimestamp: timestamp });
        return;
      } catch (error) {
        // Events are deleted after an hour: then this is a new one.
        if (!isNotFound(error)) throw error;
      }
    }
    const suffix = createHash('sha256').update(`${key}${timestamp}`).digest('hex').slice(0, 16);
    const name = `${about.metadata.name}.${suffix}`;
    this.#series.set(key, { name, count: 1, lastMs: time.getTime() });
    await this.#options.client.create(EVENTS, this.#event(about, input, name, timestamp));
  }

  #event(about: KubernetesObject, input: EventInput, name: string, timestamp: string): KubernetesObject {
    const { component, instance } = this.#options;
    const { namespace, uid, resourceVersion } = about.metadata;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: namespaceOf(about) },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name: about.metadata.name,
        namespace,
        uid,
        resourceVersion,
      },
      type: input.type,
      reason: input.reason,
      message: input.message.slice(0, MESSAGE_LIMIT),
      count: 1,
      firstTimestamp: timestamp,
      lastTimestamp: timestamp,
      source: { component },
      reportingComponent: component,
      reportingInstance: instance,
    };
  }

  #mayWrite(object: string, now: number): boolean {
    const budget = this.#budgets.get(object) ?? { left: BURST, at: now };
    const refilled = Math.min(BURST, budget.left + (now - budget.at) / REFILL_MS);
    this.#budgets.set(object, { left: Math.max(0, refilled - 1), at: now });
    return refilled >= 1;
  }

  #expire(now: number): void {
    for (const [key, { lastMs }] of this.#series) if (now - lastMs > SERIES_MS) this.#series.delete(key);
    for (const [key, { at }] of this.#budgets) if (now - at > BURST * REFILL_MS) this.#budgets.delete(key);
  }
}

/** Events about what has no namespace are kept in the default one. */
function namespaceOf(about: KubernetesObject): string {
  return about.metadata.namespace ?? 'default';
}

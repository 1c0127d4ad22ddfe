import { isNotFound } from '../client/api-error.ts';
import type { Client } from '../client/client.ts';
import { pause } from '../../lib/pause.ts';
import { silentLogger, type Logger } from '../process/log.ts';
import { exponentialDelay, jitter } from '../queue/backoff.ts';

export interface ServedGroupOptions {
  readonly client: Pick<Client, 'until'>;
  readonly group: string;
  /** Called when the API server serves the group, at most once. */
  readonly onServed?: (() => void) | undefined;
  /** How soon to ask again after a no. */
  readonly askAgainMs?: number | undefined;
  readonly logger?: Logger | undefined;
}

const BACKOFF = { baseMs: 200, maxMs: 10_000 };

/** Long, since a cluster hardly ever gets a group that says what kind of platform it is. */
const ASK_AGAIN_MS = 10 * 60_000;

/**
 * Whether the API server serves a group of APIs, which tells one platform from another. Discovery says so to every account; to list
 * objects of the group needs rights. An error is no answer: what was known before it holds. A yes is never asked for again, because a
 * platform stays what it is, and one wrong answer must not take back what follows from all others.
 */
export class ServedGroup {
  readonly group: string;
  readonly #options: ServedGroupOptions;
  readonly #logger: Logger;
  readonly #answer = Promise.withResolvers<undefined>();
  #served: boolean | undefined;

  constructor(options: ServedGroupOptions) {
    this.#options = options;
    this.group = options.group;
    this.#logger = (options.logger ?? silentLogger).with({ group: options.group });
  }

  /** Unknown before the first answer. */
  get served(): boolean | undefined {
    return this.#served;
  }

  /** Resolves with the first answer, whatever it is. */
  get whenAnswered(): Promise<undefined> {
    return this.#answer.promise;
  }

  /** Asks until the answer is yes or the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { client, askAgainMs = ASK_AGAIN_MS } = this.#options;
    const asking = client.until(signal);
    let failures = 0;
    while (!signal.aborted) {
      try {
        this.#learn(await this.#ask(asking));
        failures = 0;
      } catch (error) {
        this.#onError(error, signal);
        failures += 1;
      }
      if (this.#served === true) return;
      await pause(jitter(failures === 0 ? askAgainMs : exponentialDelay(failures - 1, BACKOFF)), signal);
    }
  }

  /** An API server that has only just started answers 503 until it knows all its groups, so its 404 is meant. */
  async #ask(client: Pick<Client, 'raw'>): Promise<boolean> {
    try {
      await client.raw(`/apis/${this.group}`);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  #onError(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.#logger.warn('Discovery failed and will be retried.', { error });
  }

  #learn(served: boolean): void {
    if (this.#served === served) return;
    this.#served = served;
    this.#logger.info(served ? 'The API server serves this group.' : 'The API server does not serve this group.');
    this.#answer.resolve(undefined);
    if (served) this.#options.onServed?.();
  }
}

import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../../packages/lib/error.ts';

/** A request that has no answer by then counts as failed. */
const PATIENCE_MS = 20_000;

export interface LoadResult {
  readonly asked: number;
  readonly failures: readonly string[];
  /** How many answers each application gave, by the name that it calls its model. */
  readonly answers: ReadonlyMap<string, number>;
}

/** Sends chat completions at a steady rate, without waiting for answers, until it is ended. */
export class Load {
  readonly #url: string;
  readonly #model: string;
  readonly #stop = new AbortController();
  readonly #requests: Promise<void>[] = [];
  readonly #failures: string[] = [];
  readonly #answers = new Map<string, number>();
  readonly #running: Promise<void>;

  constructor(url: string, model: string, perSecond: number) {
    this.#url = `${url}/v1/chat/completions`;
    this.#model = model;
    this.#running = this.#run(1000 / perSecond);
  }

  async end(): Promise<LoadResult> {
    this.#stop.abort();
    await this.#running;
    await Promise.all(this.#requests);
    return { asked: this.#requests.length, failures: this.#failures, answers: this.#answers };
  }

  async #run(everyMs: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#requests.push(this.#ask());
      await setTimeout(everyMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #ask(): Promise<void> {
    const body = JSON.stringify({ model: this.#model, messages: [{ role: 'user', content: 'Hello' }] });
    const headers = { 'content-type': 'application/json' };
    const at = new Date().toISOString();
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(this.#url, { method: 'POST', headers, body, signal });
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text}`);
      const { model } = JSON.parse(text) as { model: string };
      this.#answers.set(model, (this.#answers.get(model) ?? 0) + 1);
    } catch (error) {
      this.#failures.push(`${at}: ${messageOf(error)}`);
    }
  }
}

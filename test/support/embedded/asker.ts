import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../../../packages/lib/error.ts';

const EVERY_MS = 100;
/** A gateway that has not answered by then counts as silent. */
const PATIENCE_MS = 10_000;

/** Asks a stack ten times a second without waiting for answers, and records what went wrong. */
export class Asker {
  readonly #url: string;
  readonly #stop = new AbortController();
  readonly #questions: Promise<string | undefined>[] = [];
  readonly #running: Promise<void>;

  constructor(url: string) {
    this.#url = url;
    this.#running = this.#run();
  }

  /** How many questions were asked, and the errors of those without an answer. */
  async end(): Promise<{ readonly asked: number; readonly failures: readonly string[] }> {
    this.#stop.abort();
    await this.#running;
    const failures = (await Promise.all(this.#questions)).filter((failure) => failure !== undefined);
    return { asked: this.#questions.length, failures };
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#questions.push(this.#ask());
      await setTimeout(EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  async #ask(): Promise<string | undefined> {
    const body = JSON.stringify({ model: 'primary', messages: [{ role: 'user', content: 'Hello' }] });
    const headers = { 'content-type': 'application/json' };
    const at = new Date().toISOString();
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(this.#url, { method: 'POST', headers, body, signal });
      const text = await response.text();
      return response.ok && text.includes('chat.completion') ? undefined : `${at}: ${response.status} ${text}`;
    } catch (error) {
      return `${at}: ${messageOf(error)}`;
    }
  }
}

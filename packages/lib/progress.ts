/** Shows a person what is being done, how long it has taken and how long it usually takes. */
export interface Step {
  /** Ends the step; `detail` says what came of it, e.g. `already there`. */
  done(detail?: string): void;
  /** Ends the step as failed. The error itself is reported by whoever handles it. */
  failed(): void;
}

/** Where progress goes. Lines are rewritten on a terminal and appended elsewhere. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** In a log nobody sees a line being rewritten, so a long step says now and then that it is still alive. */
const HEARTBEAT_SECONDS = 30;
const REDRAW_MS = 1000;

export class Progress {
  readonly #output: Output;
  readonly #total: number;
  readonly #startedAt = Date.now();
  #number = 0;

  constructor(total: number, output: Output = process.stderr) {
    this.#total = total;
    this.#output = output;
  }

  /** Starts the next step. `expectedSeconds` is shown beside the elapsed time where it is known, and so is how far it is. */
  start(name: string, expectedSeconds?: number, detail: () => string = () => ''): Step {
    this.#number += 1;
    const startedAt = Date.now();
    const label = `[${String(this.#number).padStart(String(this.#total).length)}/${this.#total}] ${name}`;
    const usual = expectedSeconds === undefined ? '' : ` of about ${formatSeconds(expectedSeconds)}`;
    const line = (): string =>
      [`${label}  ${formatSeconds((Date.now() - startedAt) / 1000)}${usual}`, detail()].filter(Boolean).join('  ');

    if (!this.#output.isTTY && (expectedSeconds ?? 0) >= HEARTBEAT_SECONDS) this.#output.write(`${line()}\n`);
    const timer = setInterval(
      () => this.#output.write(this.#output.isTTY ? `\r\x1b[K${line()}` : `${line()}\n`),
      this.#output.isTTY ? REDRAW_MS : HEARTBEAT_SECONDS * 1000,
    );
    timer.unref();
    const end = (word: string): void => {
      clearInterval(timer);
      const elapsed = formatSeconds((Date.now() - startedAt) / 1000);
      this.#output.write(`${this.#output.isTTY ? '\r\x1b[K' : ''}${label}  ${word} (${elapsed})\n`);
    };
    return { done: (detail = 'done') => end(detail), failed: () => end('failed') };
  }

  /** Runs one step; it ends as failed when the work throws. */
  async run<T>(name: string, expectedSeconds: number | undefined, work: () => Promise<T>): Promise<T> {
    const step = this.start(name, expectedSeconds);
    try {
      const result = await work();
      step.done();
      return result;
    } catch (error) {
      step.failed();
      throw error;
    }
  }

  elapsed(): string {
    return formatSeconds((Date.now() - this.#startedAt) / 1000);
  }
}

/** `4s`, `2:05`, `1:02:05`: what fits beside a name. */
export function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours === 0 ? `${minutes}:${two(whole % 60)}` : `${hours}:${two(minutes)}:${two(whole % 60)}`;
}

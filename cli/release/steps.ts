import type { Io } from '../io.ts';

/** Says which step is being done, before it is done: whoever reads the log of a run that was killed sees where. */
export class Steps {
  readonly #io: Pick<Io, 'out'>;
  readonly #total: number;
  #number = 0;

  constructor(io: Pick<Io, 'out'>, total: number) {
    this.#io = io;
    this.#total = total;
  }

  /** Runs a step. What it returns beside its value is said at its end. */
  async run<T>(name: string, work: () => Promise<readonly [value: T, said: string]>): Promise<T> {
    this.#number += 1;
    const number = String(this.#number).padStart(String(this.#total).length);
    this.#io.out(`[${number}/${String(this.#total)}] ${name}\n`);
    const [value, said] = await work();
    this.#io.out(`        ${said}\n`);
    return value;
  }
}

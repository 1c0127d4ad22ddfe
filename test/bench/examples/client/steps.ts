/** One step, and how long it took. */
export interface Step {
  readonly name: string;
  readonly seconds: number;
  /** Worth a line of its own. */
  readonly said: string | undefined;
}

/** Steps that are told while they run, with their times. */
export class Steps {
  readonly done: Step[] = [];

  /** Runs a step. What it returns is said beside it if that is a text. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    process.stdout.write(`${name} ...`);
    const started = Date.now();
    try {
      const result = await work();
      const seconds = (Date.now() - started) / 1000;
      const said = typeof result === 'string' && result !== '' ? result : undefined;
      this.done.push({ name, seconds, said });
      process.stdout.write(` ${seconds.toFixed(1)} s\n${said === undefined ? '' : `    ${said}\n`}`);
      return result;
    } catch (error) {
      process.stdout.write(` failed after ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
      throw error;
    }
  }
}

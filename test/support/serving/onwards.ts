import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../machine/eventually.ts';
import { freePorts } from '../machine/free-port.ts';
import { Program } from '../machine/program.ts';
import type { RenderedGateway } from './rendered-gateway.ts';

/** The real gateway Onwards, started as the operator renders it. */
export class Onwards {
  /** Where clients ask. */
  readonly url: string;
  /** The file that it reads its table from, and watches. */
  readonly file: string;
  readonly #program: Program;
  readonly #metrics: string;
  readonly #directory: string;

  private constructor(program: Program, directory: string, file: string, ports: readonly [number, number]) {
    this.url = `http://127.0.0.1:${ports[0]}`;
    this.#metrics = `http://127.0.0.1:${ports[1]}`;
    this.file = file;
    this.#program = program;
    this.#directory = directory;
  }

  /** Resolves when it is ready, as its probe asks it. */
  static async start({ args, table }: Pick<RenderedGateway, 'args' | 'table'>): Promise<Onwards> {
    const directory = await mkdtemp(join(tmpdir(), 'onwards-'));
    const file = join(directory, 'routes.json');
    await writeFile(file, table);
    const [port = 0, metrics = 0] = await freePorts(2);
    const own: Readonly<Record<string, string>> = {
      '/routes/routes.json': file,
      '3000': String(port),
      '9090': String(metrics),
    };
    const program = new Program(
      'onwards',
      args.map((arg) => own[arg] ?? arg),
      join(directory, 'log'),
      { NO_COLOR: '1' },
    );
    const onwards = new Onwards(program, directory, file, [port, metrics]);
    try {
      await eventually(async () => {
        if (!program.running || (await onwards.readiness()) !== 200) throw new Error('it is not ready');
      });
    } catch (error) {
      const log = program.tail();
      await onwards.stop('SIGKILL');
      throw new Error(`the gateway did not start. ${log}`, { cause: error });
    }
    return onwards;
  }

  /** Writes another table into the file that it watches, as the route keeper does. */
  write(table: string): void {
    writeFileSync(this.file, table);
  }

  /** The names that clients can ask for. */
  async aliases(): Promise<string[]> {
    const { data } = (await (await fetch(`${this.url}/v1/models`)).json()) as { data: { id: string }[] };
    return data.map(({ id }) => id).sort();
  }

  async readiness(): Promise<number> {
    return (await fetch(`${this.#metrics}/readyz`)).status;
  }

  /** How often it has tried a request once more. */
  async retries(): Promise<number> {
    const text = await (await fetch(`${this.#metrics}/metrics`)).text();
    return Number(/^onwards_retries_total (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  log(): string {
    return this.#program.tail(Infinity);
  }

  /** Asks it to stop, and goes on. */
  terminate(): void {
    process.kill(this.#program.pid, 'SIGTERM');
  }

  /** Resolves to its exit code once it has ended by itself. */
  async ended(): Promise<number | null> {
    return this.#program.ended();
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#program.stop(signal);
    await rm(this.#directory, { recursive: true, force: true });
  }
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../machine/eventually.ts';
import { freePorts } from '../machine/free-port.ts';
import { OPERATOR_NAMESPACE } from './operator.ts';
import { Program } from '../machine/program.ts';

const controllerFile = (relative: string): string =>
  fileURLToPath(new URL(`../../../controller/${relative}`, import.meta.url));

export interface OperatorProcessOptions {
  readonly kubeconfig: string;
  /** Where its log goes. */
  readonly directory: string;
  readonly version?: string;
  readonly pod?: string;
  readonly watchesFile?: string;
  readonly workers?: number;
  /** Runs the one file that the image holds instead of the sources; `npm run build -w controller` makes it. */
  readonly bundled?: boolean;
  /** Runs this file instead, packed in the same way. */
  readonly file?: string;
  /** A module that is loaded before it. */
  readonly preload?: string;
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The operator as a process, observed through its endpoints and its effects. */
export class OperatorProcess {
  readonly #program: Program;
  readonly #ports: { readonly metrics: number; readonly health: number };

  private constructor(program: Program, ports: { metrics: number; health: number }) {
    this.#program = program;
    this.#ports = ports;
  }

  /** Resolves when its endpoints answer, which is before it is ready. */
  static async start(options: OperatorProcessOptions): Promise<OperatorProcess> {
    const { kubeconfig, directory, version = '1.0.0', pod = 'pod-0', workers = 16 } = options;
    const [metrics = 0, health = 0] = await freePorts(2);
    const file = options.file ?? controllerFile(options.bundled === true ? 'dist/controller.cjs' : 'src/main.ts');
    const env = {
      KUBECONFIG: kubeconfig,
      OPERATOR_VERSION: version,
      POD_NAME: pod,
      LEASE_NAMESPACE: OPERATOR_NAMESPACE,
      WATCHES_FILE: options.watchesFile ?? controllerFile('watches.yaml'),
      METRICS_PORT: String(metrics),
      HEALTH_PORT: String(health),
      WORKERS: String(workers),
      ...options.env,
    };
    const preload = options.preload === undefined ? [] : ['--import', options.preload];
    // As the image does.
    const args = [...preload, '--max-semi-space-size=16', '--heap-growing-percent=25', file];
    const program = new Program('node', args, join(directory, `${pod}.log`), env);
    const operator = new OperatorProcess(program, { metrics, health });
    await eventually(() => operator.readiness()).catch((error: unknown) => {
      throw new Error(`the operator did not start. ${program.tail()}`, { cause: error });
    });
    return operator;
  }

  get pid(): number {
    return this.#program.pid;
  }

  async readiness(): Promise<{ status: number; text: string }> {
    const response = await fetch(`http://127.0.0.1:${this.#ports.health}/readyz`);
    return { status: response.status, text: await response.text() };
  }

  /** The sum of a metric over the label sets that the filter lets through. */
  async sum(metric: string, filter: (labels: string) => boolean = () => true): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.#ports.metrics}/metrics`)).text();
    let sum = 0;
    for (const line of text.split('\n')) {
      const match = /^(\w+)(\{.*\})? (\S+)$/.exec(line);
      if (match?.[1] === metric && filter(match[2] ?? '')) sum += Number(match[3]);
    }
    return sum;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return this.#program.stop(signal);
  }
}

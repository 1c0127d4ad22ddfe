import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.ts';
import { freePorts } from '../../support/free-port.ts';
import { OPERATOR_NAMESPACE } from '../../support/operator.ts';
import { processUsage } from './process-usage.ts';
import { CONCURRENCY } from './workload.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../../controller/${relative}`, import.meta.url));

/** The operator as it is shipped: one bundled file in a process of its own. */
export class OperatorProcess {
  readonly #child: ChildProcess;
  readonly #metricsPort: number;

  private constructor(child: ChildProcess, metricsPort: number) {
    this.#child = child;
    this.#metricsPort = metricsPort;
  }

  static async start(kubeconfig: string, directory: string): Promise<OperatorProcess> {
    const [metricsPort = 0, healthPort = 0] = await freePorts(2);
    const log = openSync(join(directory, 'operator.log'), 'a');
    const child = spawn(process.execPath, ['--max-semi-space-size=8', path('dist/controller.mjs')], {
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        KUBECONFIG: kubeconfig,
        OPERATOR_VERSION: '1.0.0',
        POD_NAME: 'bench',
        LEASE_NAMESPACE: OPERATOR_NAMESPACE,
        WATCHES_FILE: path('watches.yaml'),
        METRICS_PORT: String(metricsPort),
        HEALTH_PORT: String(healthPort),
        WORKERS: String(CONCURRENCY),
      },
    });
    closeSync(log);
    const operator = new OperatorProcess(child, metricsPort);
    await eventually(() => operator.metrics(), 30_000);
    return operator;
  }

  usage(): { cpuSeconds: number; peakMegabytes: number } {
    return processUsage(this.#child.pid ?? 0);
  }

  /** The sum of a metric over the label sets that the filter lets through. */
  async sum(metric: string, filter: (labels: string) => boolean = () => true): Promise<number> {
    let sum = 0;
    for (const line of (await this.metrics()).split('\n')) {
      const match = /^(\w+)(\{.*\})? (\S+)$/.exec(line);
      if (match?.[1] === metric && filter(match[2] ?? '')) sum += Number(match[3]);
    }
    return sum;
  }

  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.#metricsPort}/metrics`)).text();
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}

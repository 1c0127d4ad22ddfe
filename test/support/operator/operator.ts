import type { Config } from '../../../controller/src/config.ts';
import { leaseName } from '../../../packages/api/operator-names.ts';
import { parseWatches } from '../../../controller/src/reconcile/watches.ts';
import type { Patience } from '../../../controller/src/reconcile/rollout/patience.ts';
import { run, type Running } from '../../../controller/src/run.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { Connection } from '../../../packages/kube/connect/connection.ts';
import { LEASES } from '../../../packages/kube/lease/lease-watch.ts';
import type { LeaseTimes } from '../../../packages/kube/lease/lease.ts';
import { silentLogger, type Logger } from '../../../packages/kube/process/log.ts';
import { eventually } from '../machine/eventually.ts';
import { createNamespace } from './stack-api.ts';

export const OPERATOR_NAMESPACE = 'inference-stack-operator-system';

/** Short, so that tests see a takeover; in the proportions of the real ones. */
export const FAST_LEASE: LeaseTimes = { leaseMs: 3000, renewDeadlineMs: 2000, retryMs: 200 };

/** Short, so that tests see what happens after it. */
export const LITTLE_PATIENCE: Patience = { placeMs: 3000, roomMs: 1000, wakeMs: 20, tellMs: 50 };

export interface TestOperatorOptions {
  readonly version?: string;
  readonly name?: string;
  readonly pod?: string;
  readonly namespace?: string;
  /** The namespace of its Lease, if it is not the one where the platform creates it. */
  readonly leaseNamespace?: string;
  readonly watches?: string;
  readonly logger?: Logger;
  readonly watchIdleMs?: number;
  readonly patience?: Partial<Patience>;
  readonly requestTimeoutMs?: number;
  readonly workers?: number;
  /** Short by default, so that tests see optional kinds come and go. */
  readonly absentRetryMs?: number;
  readonly platformRetryMs?: number;
}

/** Creates a namespace for operators and the Leases of the given majors, as the platform does beforehand. */
export async function prepareLeases(
  client: Client,
  majors: readonly number[],
  namespace = OPERATOR_NAMESPACE,
): Promise<void> {
  await createNamespace(client, namespace);
  for (const major of majors) {
    const metadata = { name: leaseName(major), namespace };
    await client.create(LEASES, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata });
  }
}

/** An operator in this process, against a real API server. */
export class TestOperator {
  readonly running: Running;
  readonly #stop = new AbortController();

  private constructor(running: Running, stop: AbortController) {
    this.running = running;
    this.#stop = stop;
  }

  static async start(connection: Connection, options: TestOperatorOptions = {}): Promise<TestOperator> {
    const { version = '1.0.0', pod = 'pod-0', namespace = OPERATOR_NAMESPACE } = options;
    const major = Number(version.split('.')[0]);
    const config: Config = {
      version,
      major,
      operatorName: options.name ?? leaseName(major),
      podName: pod,
      leaseNamespace: options.leaseNamespace ?? OPERATOR_NAMESPACE,
      watchesFile: 'watches.yaml',
      metricsPort: 0,
      healthPort: 0,
      workers: options.workers ?? 8,
      logLevel: 'error',
    };
    const stop = new AbortController();
    const running = await run(
      {
        config,
        connection: { ...connection, namespace },
        watches: parseWatches(options.watches ?? '[{version: v1beta1, kind: InferenceStack}]', 'watches.yaml'),
        logger: options.logger ?? silentLogger,
        leaseTimes: FAST_LEASE,
        absentRetryMs: options.absentRetryMs ?? 200,
        platformRetryMs: options.platformRetryMs,
        watchIdleMs: options.watchIdleMs,
        patience: { ...LITTLE_PATIENCE, ...options.patience },
        requestTimeoutMs: options.requestTimeoutMs,
      },
      stop.signal,
    );
    return new TestOperator(running, stop);
  }

  /** Requests by method since the start, watches included among the GETs. */
  async requests(): Promise<Record<string, number>> {
    const metric = await this.running.metrics.registry.getSingleMetric('rest_client_requests_total')?.get();
    const counts: Record<string, number> = {};
    for (const { labels, value } of metric?.values ?? []) {
      const method = String(labels['method']);
      counts[method] = (counts[method] ?? 0) + value;
    }
    return counts;
  }

  /** Writes other than the Lease's renewals, which are the only PUTs. */
  async writes(): Promise<number> {
    const { POST = 0, PATCH = 0, DELETE = 0 } = await this.requests();
    return POST + PATCH + DELETE;
  }

  /** The sum of a metric over everything that has the labels. */
  async sum(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
    const metric = await this.running.metrics.registry.getSingleMetric(name)?.get();
    const matching = (metric?.values ?? []).filter((value) =>
      Object.entries(labels).every(([label, wanted]) => value.labels[label] === wanted),
    );
    return matching.reduce((sum, { value }) => sum + value, 0);
  }

  /** Reconciliations that ended with an error and are tried again. */
  async reconcileErrors(): Promise<number> {
    return this.sum('controller_runtime_reconcile_total', { result: 'error' });
  }

  /** Resolves when the queue has been empty for a while and nothing is under way. */
  async quiet(forMs = 300, timeoutMs = 30_000): Promise<void> {
    let since = performance.now();
    await eventually(() => {
      if (!this.running.operator.idle) since = performance.now();
      if (performance.now() - since < forMs) throw new Error('the operator is still busy');
    }, timeoutMs);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.running.ended;
  }
}

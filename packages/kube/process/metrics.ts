import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { QueueObserver } from '../queue/queue.ts';
import type { TransportOptions } from '../client/transport.ts';

const FAST_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** How a reconciliation ended, in controller-runtime's words. */
export type ReconcileOutcome = 'success' | 'error' | 'requeue' | 'requeue_after';

/** The metrics of the runtime, under the names that client-go and controller-runtime give them. */
export class RuntimeMetrics {
  readonly registry = new Registry();
  readonly #requests = this.#counter('rest_client_requests_total', 'Requests to the API server.', ['code', 'method']);
  readonly #requestSeconds = this.#histogram(
    'rest_client_request_duration_seconds',
    'Time from a request to the headers of its answer.',
    ['verb'],
  );
  readonly #depth = this.#gauge('workqueue_depth', 'Keys that wait for a worker.', ['name']);
  readonly #adds = this.#counter('workqueue_adds_total', 'Keys that were added.', ['name']);
  readonly #retries = this.#counter('workqueue_retries_total', 'Keys that were added again after a failure.', ['name']);
  readonly #waited = this.#histogram('workqueue_queue_duration_seconds', 'Time that a key waited.', ['name']);
  readonly #worked = this.#histogram('workqueue_work_duration_seconds', 'Time that a key took.', ['name']);
  readonly #reconciles = this.#counter('controller_runtime_reconcile_total', 'Reconciliations by their outcome.', [
    'controller',
    'result',
  ]);
  readonly #reconcileSeconds = this.#histogram(
    'controller_runtime_reconcile_time_seconds',
    'Time that a reconciliation took.',
    ['controller'],
  );
  readonly #leader = this.#gauge('leader_election_master_status', 'Whether this process holds the Lease.', ['name']);

  /** For Transport's `observe`. */
  readonly observeRequest: NonNullable<TransportOptions['observe']> = ({ method }, code, seconds) => {
    this.#requests.inc({ code, method });
    this.#requestSeconds.observe({ verb: method }, seconds);
  };

  queueObserver(name: string): QueueObserver {
    return {
      depth: (length) => this.#depth.set({ name }, length),
      added: () => this.#adds.inc({ name }),
      retried: () => this.#retries.inc({ name }),
      waited: (seconds) => this.#waited.observe({ name }, seconds),
      worked: (seconds) => this.#worked.observe({ name }, seconds),
    };
  }

  reconciled(controller: string, result: ReconcileOutcome, seconds: number): void {
    this.#reconciles.inc({ controller, result });
    this.#reconcileSeconds.observe({ controller }, seconds);
  }

  leading(name: string, holds: boolean): void {
    this.#leader.set({ name }, holds ? 1 : 0);
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram<L extends string>(name: string, help: string, labelNames: L[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets: FAST_BUCKETS, registers: [this.registry] });
  }
}

import type { Config } from './config.ts';
import { ConflictReporter, leaseIdentity } from './reconcile/conflict.ts';
import { leaseName } from '../../packages/api/operator-names.ts';
import { Operator } from './reconcile/operator.ts';
import type { Patience } from './reconcile/rollout/patience.ts';
import type { Watch } from './reconcile/watches.ts';
import { Client } from '../../packages/kube/client/client.ts';
import type { Connection } from '../../packages/kube/connect/connection.ts';
import { EventRecorder } from '../../packages/kube/events.ts';
import { healthEndpoint, metricsEndpoint, type Check } from '../../packages/kube/process/http-endpoints.ts';
import { DEFAULT_LEASE_TIMES, runElection, type LeaseTimes } from '../../packages/kube/lease/lease.ts';
import type { Logger } from '../../packages/kube/process/log.ts';
import { RuntimeMetrics } from '../../packages/kube/process/metrics.ts';

export interface RunOptions {
  readonly config: Config;
  readonly connection: Connection;
  readonly watches: readonly Watch[];
  readonly logger: Logger;
  readonly leaseTimes?: LeaseTimes | undefined;
  readonly absentRetryMs?: number | undefined;
  readonly platformRetryMs?: number | undefined;
  readonly watchIdleMs?: number | undefined;
  readonly patience?: Patience | undefined;
  readonly requestTimeoutMs?: number | undefined;
}

/** A process without news of a kind for this long no longer sees the cluster. */
const STALE_MS = 5 * 60_000;

/** A running operator, as its own process and the tests see it. */
export interface Running {
  readonly operator: Operator;
  readonly metrics: RuntimeMetrics;
  readonly ready: Check;
  readonly ports: { readonly metrics: number; readonly health: number };
  /** Resolves when everything has ended after the signal was aborted. */
  readonly ended: Promise<void>;
}

/** Starts everything that the operator consists of; it ends when the signal is aborted. */
export async function run(options: RunOptions, signal: AbortSignal): Promise<Running> {
  const { config, connection, watches, logger, absentRetryMs, watchIdleMs, patience, requestTimeoutMs } = options;
  const { leaseTimes = DEFAULT_LEASE_TIMES, platformRetryMs } = options;
  const metrics = new RuntimeMetrics();
  // A request for each worker, and some for the Lease, Events and lists, which must not wait behind them.
  const maxConnections = config.workers + 16;
  const userAgent = `${config.operatorName}/${config.version}`;
  const client = new Client(connection, {
    maxConnections,
    requestTimeoutMs,
    userAgent,
    observe: metrics.observeRequest,
  });
  const installation = `${connection.namespace ?? 'default'}/${config.operatorName}`;
  const events = new EventRecorder({ client, component: config.operatorName, instance: config.podName, logger });
  const lease = { namespace: config.leaseNamespace, name: leaseName(config.major) };
  const conflict = new ConflictReporter({ installation, lease, events, registry: metrics.registry, logger });
  const operator = new Operator({
    client,
    self: { major: config.major, version: config.version, operator: installation, lease },
    watches,
    leaseMs: leaseTimes.leaseMs,
    onRival: (stack, rival) => conflict.onStack(stack, rival),
    events,
    metrics,
    logger,
    workers: config.workers,
    absentRetryMs,
    platformRetryMs,
    watchIdleMs,
    patience,
  });
  const ready = (): Readonly<Record<string, string>> => readiness(operator, conflict, lease);
  const health = healthEndpoint({ healthz: () => liveness(operator), readyz: ready });
  const exposition = metricsEndpoint(metrics.registry);
  const ports = {
    metrics: await exposition.listen(config.metricsPort),
    health: await health.listen(config.healthPort),
  };
  const watching = operator.watch(signal);
  const election = runElection(
    {
      client,
      ...lease,
      identity: leaseIdentity(installation, config.podName),
      times: leaseTimes,
      onHolder: (holder) => conflict.onHolder(holder),
      lead: async (term) => {
        metrics.leading(lease.name, true);
        await operator.lead(term).finally(() => {
          metrics.leading(lease.name, false);
          conflict.forgetStacks();
        });
      },
      logger,
    },
    signal,
  );
  const ended = Promise.all([watching, election]).then(async () => {
    await events.flush();
    await Promise.all([health.close(), exposition.close()]);
    client.close();
  });
  return { operator, metrics, ready, ports, ended };
}

/** An idle duplicate is ready: it waits, as it should. */
function readiness(
  operator: Operator,
  conflict: ConflictReporter,
  lease: { namespace: string; name: string },
): Record<string, string> {
  const problems: Record<string, string> = {};
  const { notReady, missingKinds } = operator.view;
  if (missingKinds.length > 0) {
    problems['crd'] = `the cluster does not serve ${missingKinds.join(', ')}: install its CustomResourceDefinition`;
  }
  if (notReady.length > 0) problems['sync'] = `not known yet: ${notReady.join(', ')}`;
  if (conflict.holder === undefined) {
    problems['lease'] =
      `no answer about Lease ${lease.namespace}/${lease.name}: it must exist, and this account must be allowed to read and update it`;
  }
  return problems;
}

function liveness(operator: Operator): Record<string, string> {
  const { resource, ms } = operator.view.stalest;
  if (ms < STALE_MS) return {};
  return { watches: `no news of ${resource} for ${Math.round(ms / 1000)} s` };
}

import type { Writable } from 'node:stream';
import { RuntimeMetrics } from '../../packages/kube/process/metrics.ts';
import { conflictGauge } from './reconcile/conflict.ts';

/** What a metric is to those who read it. */
interface DescribedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** The metrics of a running operator, each a line of JSON. A release is compared by them with the next one. */
export function describeMetrics(output: Pick<Writable, 'write'>): void {
  const { registry } = new RuntimeMetrics();
  conflictGauge(registry);
  for (const metric of registry.getMetricsAsArray()) output.write(`${JSON.stringify(described(metric))}\n`);
}

/** The library's types leave out what the metric was made with. */
function described(metric: object): DescribedMetric {
  const { name, type, labelNames } = metric as { name: string; type: string; labelNames: readonly string[] };
  return { name, type, labels: labelNames };
}

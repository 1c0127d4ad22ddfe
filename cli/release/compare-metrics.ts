import type { Finding } from './finding.ts';
import type { Metric } from './surface.ts';

/** What alerts and dashboards can no longer read, and what they can read now. */
export function compareMetrics(before: readonly Metric[], after: readonly Metric[]): Finding[] {
  const known = (list: readonly Metric[], { name }: Metric): Metric | undefined =>
    list.find((one) => one.name === name);
  return [
    ...before.flatMap((metric) => ofMetric(metric, known(after, metric))),
    ...after
      .filter((metric) => known(before, metric) === undefined)
      .map((metric) => finding('addition', metric, '', 'is new')),
  ];
}

function ofMetric(before: Metric, after: Metric | undefined): Finding[] {
  if (after === undefined) return [finding('breaking', before, '', 'is gone')];
  const [was, is] = [before.labels, after.labels];
  return [
    ...(before.type === after.type
      ? []
      : [finding('breaking', before, 'type', `is ${after.type}, and was ${before.type}`)]),
    ...was
      .filter((label) => !is.includes(label))
      .map((label) => finding('breaking', before, `labels.${label}`, 'is gone')),
    // A sum that names its labels goes on as before; whatever matches one series by another does not.
    ...is
      .filter((label) => !was.includes(label))
      .map((label) => finding('breaking', before, `labels.${label}`, 'splits every series')),
  ];
}

function finding(effect: Finding['effect'], { name }: Metric, path: string, message: string): Finding {
  return { area: 'metrics', effect, object: `Metric ${name}`, path, message };
}

import { CLUSTER_OPTIONS, CLUSTER_USAGE, withCluster } from '../cluster-options.ts';
import type { Io } from '../io.ts';
import { parseOptions } from '../options.ts';
import { collectFleet } from '../status/collect.ts';
import { fleetReport } from '../status/report.ts';

const USAGE = `Usage: fleet status [--stack NAME] [--kubeconfig FILE] [--context NAME]

Shows catalogs, operators, stacks, GPUs and certificates. Exits with 1 when something needs attention. What you have no
right to read is left out, and the report says so.

${CLUSTER_USAGE}`;

export async function run(args: string[], io: Io): Promise<number> {
  const cluster = parseOptions(args, CLUSTER_OPTIONS, USAGE);
  const { text, healthy } = fleetReport(await withCluster(cluster, io, collectFleet), new Date());
  io.out(text);
  return healthy ? 0 : 1;
}

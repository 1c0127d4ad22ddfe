import { type ClusterChoice, withCluster } from '../cluster-options.ts';
import type { Io } from '../io.ts';
import { collectFleet } from '../status/collect.ts';
import { fleetReport } from '../status/report.ts';

export async function run(cluster: ClusterChoice, io: Io): Promise<number> {
  const { text, healthy } = fleetReport(await withCluster(cluster, io, collectFleet), new Date());
  io.out(text);
  return healthy ? 0 : 1;
}

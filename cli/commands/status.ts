import { type ClusterChoice, withCluster } from '../cluster-options.ts';
import type { Io } from '../io.ts';
import { collectFleet } from '../status/collect.ts';
import { fleetReport } from '../status/report.ts';

/** The options of `fleet status`. */
export interface StatusOptions extends ClusterChoice {
  /** The namespace whose stacks are shown; without it, all are. */
  readonly namespace?: string | undefined;
  readonly output: 'table' | 'json';
}

export async function run({ namespace, output, ...cluster }: StatusOptions, io: Io): Promise<number> {
  const objects = await withCluster(cluster, io, (client) => collectFleet(client, namespace));
  const { text, healthy, tables, warnings, left } = fleetReport(objects, new Date());
  const json = { healthy, ...tables, needsAttention: warnings, notShown: left };
  io.out(output === 'json' ? `${JSON.stringify(json, undefined, 2)}\n` : text);
  return healthy ? 0 : 1;
}

import { parseArgs } from 'node:util';
import { embeddedCluster } from '../../cluster/embedded/environment.ts';
import { Client } from '../../controller/src/runtime/client.ts';
import { loadConnection } from '../../controller/src/runtime/kubeconfig.ts';
import { UsageError } from '../command.ts';
import type { Io } from '../io.ts';
import { collectFleet } from '../status/collect.ts';
import { fleetReport } from '../status/report.ts';

const USAGE = `Usage: fleet status [--kubeconfig <path>] [--context <name>]

Shows catalogs, operators, stacks, GPUs and certificates. Exits with 1 when something needs attention.`;

export async function run(args: string[], io: Io): Promise<number> {
  const options = readOptions(args);
  if (options.help === true) {
    io.out(`${USAGE}\n`);
    return 0;
  }
  const { context } = options;
  // Whoever named no cluster means the local one, where there is one.
  const local = io.env['KUBECONFIG'] === undefined && context === undefined ? embeddedCluster()?.kubeconfig : undefined;
  const kubeconfig = options.kubeconfig ?? local;
  const client = new Client(await loadConnection({ kubeconfig, context, env: io.env }));
  try {
    const { text, healthy } = fleetReport(await collectFleet(client), new Date());
    io.out(text);
    return healthy ? 0 : 1;
  } finally {
    client.close();
  }
}

function readOptions(args: string[]): { kubeconfig?: string; context?: string; help?: boolean } {
  try {
    return parseArgs({
      args,
      options: {
        kubeconfig: { type: 'string' },
        context: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), USAGE);
  }
}

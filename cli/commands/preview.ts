import { checkout } from '../../cluster/tools/places.ts';
import type { Io } from '../io.ts';
import { executeProcess } from '../stack/execute.ts';
import { readStackOptions } from '../stack/options.ts';
import { build } from '../stack/prepare.ts';
import { pulumi, pulumiEnvironment } from '../stack/pulumi.ts';
import { readStackFile } from '../stack/stack-file.ts';

const USAGE = `Usage: fleet preview [--stack dev]

Shows what \`fleet up\` would do: for every operator from which version to which and by which edge, and what changes in
the cluster. It needs no cluster.`;

export async function run(args: string[], io: Io): Promise<number> {
  const options = readStackOptions(args, USAGE);
  if (options === undefined) {
    io.out(`${USAGE}\n`);
    return 0;
  }
  const { stack } = options;
  const file = await readStackFile(io, checkout, stack);
  await build(executeProcess, checkout, io.env);
  await pulumi(executeProcess, { checkout, stack, env: pulumiEnvironment(io.env, file) }, ['preview', '--diff']);
  return 0;
}

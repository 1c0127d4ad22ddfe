import { checkout } from '../../cluster/tools/places.ts';
import type { Io } from '../io.ts';
import { executeProcess } from '../stack/execute.ts';
import { readStackOptions } from '../stack/options.ts';
import { pulumi, pulumiEnvironment } from '../stack/pulumi.ts';
import { readStackFile } from '../stack/stack-file.ts';

const USAGE = `Usage: fleet down [--stack dev]

Removes everything that \`fleet up\` installed, also where InferenceStacks still name an operator. The CRDs of
InferenceStack and of OLM stay, and with them every InferenceStack.`;

const KEPT = `Kept: the CRDs of InferenceStack and of OLM, and every InferenceStack with what it runs. Nothing reconciles them
until the next \`make up\`. Delete them with: kubectl delete crd inferencestacks.models.titanml.co
`;

export async function run(args: string[], io: Io): Promise<number> {
  const options = readStackOptions(args, USAGE);
  if (options === undefined) {
    io.out(`${USAGE}\n`);
    return 0;
  }
  const { stack } = options;
  const file = await readStackFile(io, checkout, stack);
  const env = pulumiEnvironment(io.env, file);
  await pulumi(executeProcess, { checkout, stack, env }, ['destroy', '--yes', '--skip-preview']);
  io.out(KEPT);
  return 0;
}

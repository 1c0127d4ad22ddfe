import { checkout } from '../../cluster/tools/places.ts';
import type { Io } from '../io.ts';
import { showDemo } from '../demo/show-demo.ts';
import { executeProcess } from '../stack/execute.ts';
import { readStackOptions } from '../stack/options.ts';
import { prepare } from '../stack/prepare.ts';
import { pulumi, pulumiEnvironment } from '../stack/pulumi.ts';
import { readStackFile } from '../stack/stack-file.ts';

const USAGE = `Usage: fleet up [--stack dev]

Starts the embedded cluster where the stack wants it, builds the programs and runs \`pulumi up\`. A stack with the demo
runtime ends with an InferenceStack that answers a chat completion.`;

export async function run(args: string[], io: Io): Promise<number> {
  const options = readStackOptions(args, USAGE);
  if (options === undefined) {
    io.out(`${USAGE}\n`);
    return 0;
  }
  const { stack } = options;
  const file = await readStackFile(io, checkout, stack);
  await prepare(executeProcess, checkout, io.env, file);
  const env = pulumiEnvironment(io.env, file);
  await pulumi(executeProcess, { checkout, stack, env }, ['up', '--yes', '--skip-preview', '--suppress-permalink']);
  if (file.embedded && file.demo) await showDemo(io, checkout);
  return 0;
}

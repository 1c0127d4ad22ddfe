import { showDemo } from '../demo/show-demo.ts';
import { executeProcess } from '../stack/execute.ts';
import { prepare } from '../stack/prepare.ts';
import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet up [--stack dev] [--config-file FILE] [-- ARGUMENTS]

Starts the embedded cluster where the stack wants it, builds the programs and runs \`pulumi up\`, with the arguments. A
stack with the demo runtime ends with an InferenceStack that answers a chat completion.`;

export const run = stackCommand(USAGE, 'written', async ({ io, checkout, file, forPulumi, pulumi }) => {
  await prepare(executeProcess, checkout, io.env, file);
  await pulumi(['up', '--yes', '--skip-preview', '--suppress-permalink', ...forPulumi]);
  if (file.embedded && file.demo) await showDemo(io, checkout);
});

import { showDemo } from '../demo/show-demo.ts';
import { executeProcess } from '../stack/execute.ts';
import { prepare } from '../stack/prepare.ts';
import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet up [--stack dev]

Starts the embedded cluster where the stack wants it, builds the programs and runs \`pulumi up\`. A stack with the demo
runtime ends with an InferenceStack that answers a chat completion.`;

export const run = stackCommand(USAGE, async ({ io, checkout, file, pulumi }) => {
  await prepare(executeProcess, checkout, io.env, file);
  await pulumi(['up', '--yes', '--skip-preview', '--suppress-permalink']);
  if (file.embedded && file.demo) await showDemo(io, checkout);
});

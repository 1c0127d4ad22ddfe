import { executeProcess } from '../environment/execute.ts';
import { build } from '../environment/prepare.ts';
import { environmentCommand } from '../environment/environment-command.ts';

export const run = environmentCommand('optional', async ({ io, checkout, forPulumi, pulumi }) => {
  await build(executeProcess, checkout, io.env);
  await pulumi(['preview', ...forPulumi]);
});

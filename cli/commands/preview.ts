import { executeProcess } from '../environment/execute.ts';
import { build } from '../environment/prepare.ts';
import { environmentCommand } from '../environment/environment-command.ts';

export const run = environmentCommand('optional', async ({ io, checkout, file, forPulumi, pulumi }) => {
  if (file.packs) await build(executeProcess, checkout, io.env);
  await pulumi(['preview', ...forPulumi]);
});

import { showDemo } from '../demo/show-demo.ts';
import { executeProcess } from '../environment/execute.ts';
import { prepare } from '../environment/prepare.ts';
import { environmentCommand } from '../environment/environment-command.ts';

export const run = environmentCommand('written', async ({ io, checkout, file, forPulumi, pulumi, outputs }) => {
  await prepare(executeProcess, checkout, io.env, file);
  await pulumi(['up', '--yes', '--skip-preview', '--suppress-permalink', ...forPulumi]);
  if (file.embedded && file.demo) await showDemo(io, checkout, await outputs());
});

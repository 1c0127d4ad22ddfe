import { refusePresent } from '../environment/environment-cluster.ts';
import { environmentCommand } from '../environment/environment-command.ts';

export const run = environmentCommand('read', async ({ io, environment, file, forPulumi, pulumiState }) => {
  await refusePresent({ environment, file, env: io.env });
  await pulumiState(['stack', 'rm', '--force', '--preserve-config', ...forPulumi]);
});

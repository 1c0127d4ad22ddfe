import { environmentCommand } from '../environment/environment-command.ts';

export const run = environmentCommand('read', async ({ pulumiState }) => {
  await pulumiState(['cancel', '--yes']);
});

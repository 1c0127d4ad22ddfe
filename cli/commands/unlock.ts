import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet unlock [--stack dev]

Removes the lock that an update leaves when it is killed. Make sure that none is running: two at once would each undo what the
other does.`;

export const run = stackCommand(USAGE, 'read', async ({ pulumiState }) => {
  await pulumiState(['cancel', '--yes']);
});

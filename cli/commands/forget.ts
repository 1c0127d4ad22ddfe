import { refusePresent } from '../stack/stack-cluster.ts';
import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet forget [--stack dev] [--config-file FILE]

Removes the state of a stack whose cluster is gone for good, so that the next \`fleet up\` starts from nothing. The stack's
configuration stays. While the cluster answers it refuses: what is installed there is taken down by \`fleet down\`.`;

export const run = stackCommand(USAGE, 'read', async ({ io, stack, file, pulumiState }) => {
  await refusePresent({ stack, file, env: io.env });
  await pulumiState(['stack', 'rm', '--yes', '--force', '--preserve-config']);
});

import { refusePresent } from '../stack/stack-cluster.ts';
import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet forget [--stack dev] [--config-file FILE] [-- --yes]

Removes the state of a stack whose cluster is gone for good, so that the next \`fleet up\` starts from nothing. The stack's
configuration stays. While the cluster answers it refuses: what is installed there is taken down by \`fleet down\`. It asks
first, because a cluster that does not answer may only be out of reach; --yes answers.`;

export const run = stackCommand(USAGE, 'read', async ({ io, stack, file, forPulumi, pulumiState }) => {
  await refusePresent({ stack, file, env: io.env });
  await pulumiState(['stack', 'rm', '--force', '--preserve-config', ...forPulumi]);
});

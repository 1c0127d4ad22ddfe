import { executeProcess } from '../stack/execute.ts';
import { build } from '../stack/prepare.ts';
import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet preview [--stack dev] [--config-file FILE] [-- ARGUMENTS]

Shows what \`fleet up\` would do: for every operator from which version to which and by which edge, and what changes in
the cluster. It needs no cluster, and no state: where nobody has chosen a place for that, it shows a new stack. Arguments go
to \`pulumi preview\`; --diff shows every field that changes:

  fleet preview -- --diff
  fleet preview --stack prod -- --policy-pack policies --json`;

export const run = stackCommand(USAGE, 'optional', async ({ io, checkout, forPulumi, pulumi }) => {
  await build(executeProcess, checkout, io.env);
  await pulumi(['preview', ...forPulumi]);
});

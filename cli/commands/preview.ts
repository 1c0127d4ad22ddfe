import { executeProcess } from '../stack/execute.ts';
import { build } from '../stack/prepare.ts';
import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet preview [--stack dev]

Shows what \`fleet up\` would do: for every operator from which version to which and by which edge, and what changes in
the cluster. It needs no cluster.`;

export const run = stackCommand(USAGE, async ({ io, checkout, pulumi }) => {
  await build(executeProcess, checkout, io.env);
  await pulumi(['preview', '--diff']);
});

import { kubectlCommand } from '../../packages/kube/kubectl.ts';
import { GROUP, INFERENCE_STACK } from '../../packages/api/constants.ts';
import { clusterOf, refuseAbsent, type StackOfCluster } from '../stack/stack-cluster.ts';
import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet down [--stack dev] [--config-file FILE] [-- ARGUMENTS]

Removes everything that \`fleet up\` installed, also where InferenceStacks still name an operator. The CRDs of
InferenceStack and of OLM stay, and with them every InferenceStack. Arguments go to \`pulumi destroy\`, which leaves
protected resources alone.`;

export const run = stackCommand(USAGE, 'read', async ({ io, stack, file, forPulumi, pulumiOnExisting }) => {
  const of = { stack, file, env: io.env };
  await refuseAbsent(of);
  // Without the flag Pulumi would stop at a protected CRD, after it has deleted half of the rest.
  await pulumiOnExisting(['destroy', '--yes', '--skip-preview', '--exclude-protected', ...forPulumi]);
  io.out(describeKept(of));
});

/** What is left in the cluster, and the command that removes it there and nowhere else. */
export function describeKept(of: StackOfCluster): string {
  return `Kept: the CRDs of InferenceStack and of OLM, and every InferenceStack with what it runs. Nothing reconciles them
until the next \`make up STACK=${of.stack}\`. This deletes every InferenceStack of every team, with what it runs and its CRD:
  ${kubectlCommand(clusterOf(of))} delete crd ${INFERENCE_STACK.plural}.${GROUP}
`;
}

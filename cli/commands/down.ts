import { stackRoleNames } from '../../components/api/stack-roles.ts';
import { describeEmbeddedCluster } from '../../cluster/embedded-cluster.ts';
import { kubectlCommand } from '../../packages/kube/kubectl.ts';
import { GROUP, INFERENCE_STACK } from '../../packages/api/constants.ts';
import { clusterOf, refuseAbsent, type EnvironmentOfCluster } from '../environment/environment-cluster.ts';
import { environmentCommand } from '../environment/environment-command.ts';

export const run = environmentCommand('read', async ({ io, environment, file, forPulumi, pulumiOnExisting }) => {
  const of = { environment, file, env: io.env };
  await refuseAbsent(of);
  // Without the flag Pulumi would stop at a protected CRD after it has deleted half of the rest.
  await pulumiOnExisting(['destroy', '--yes', '--skip-preview', '--exclude-protected', ...forPulumi]);
  io.out(describeKept(of));
});

/** What is left in the cluster, and the commands that remove it there and nowhere else. */
export function describeKept(of: EnvironmentOfCluster): string {
  const kubectl = kubectlCommand(clusterOf(of.file, describeEmbeddedCluster(of.env)));
  const definition = `${INFERENCE_STACK.plural}.${GROUP}`;
  const { view, edit } = stackRoleNames(definition);
  return `Kept: the CRDs of InferenceStack and of OLM, every InferenceStack with what it runs, and the roles of those who write them.
Nothing reconciles stacks until the next \`make up ENV=${of.environment}\`; their teams can still delete them.
This deletes every InferenceStack of every team, with what it runs and its CRD, and then the roles:
  ${kubectl} delete crd ${definition}
  ${kubectl} delete clusterrole ${view} ${edit}
`;
}

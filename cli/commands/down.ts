import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet down [--stack dev] [--config-file FILE] [-- ARGUMENTS]

Removes everything that \`fleet up\` installed, also where InferenceStacks still name an operator. The CRDs of
InferenceStack and of OLM stay, and with them every InferenceStack. Arguments go to \`pulumi destroy\`, which leaves
protected resources alone.`;

const KEPT = `Kept: the CRDs of InferenceStack and of OLM, and every InferenceStack with what it runs. Nothing reconciles them
until the next \`make up\`. Delete them with: kubectl delete crd inferencestacks.models.titanml.co
`;

export const run = stackCommand(USAGE, async ({ io, forPulumi, pulumi }) => {
  // Without the flag Pulumi would stop at a protected CRD, after it has deleted half of the rest.
  await pulumi(['destroy', '--yes', '--skip-preview', '--exclude-protected', ...forPulumi]);
  io.out(KEPT);
});

import { stackCommand } from '../stack/stack-command.ts';

const USAGE = `Usage: fleet down [--stack dev] [--config-file FILE] [-- ARGUMENTS]

Removes everything that \`fleet up\` installed, also where InferenceStacks still name an operator. The CRDs of
InferenceStack and of OLM stay, and with them every InferenceStack. Arguments go to \`pulumi destroy\`.`;

const KEPT = `Kept: the CRDs of InferenceStack and of OLM, and every InferenceStack with what it runs. Nothing reconciles them
until the next \`make up\`. Delete them with: kubectl delete crd inferencestacks.models.titanml.co
`;

export const run = stackCommand(USAGE, async ({ io, forPulumi, pulumi }) => {
  await pulumi(['destroy', '--yes', '--skip-preview', ...forPulumi]);
  io.out(KEPT);
});

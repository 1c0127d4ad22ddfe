import { PolicyPack } from '@pulumi/policy';
import { PACKAGE } from '../packages/api/operator-names.ts';
import { useStackTracesOfNode } from '../components/stack-traces.ts';
import { stageOf } from './core/levels.ts';
import { PACK, policiesOf } from './core/pulumi.ts';
import { factsLoader } from './facts/load.ts';
import { readReleased } from './facts/released.ts';
import { RULES } from './rules/index.ts';

useStackTracesOfNode();

/** Set by `fleet preview` and `fleet up`; Pulumi itself does not tell a pack which stack it judges. */
const stack = process.env['PULUMI_STACK'];
const notes = stack === undefined ? ['PULUMI_STACK does not name the stack, so the levels of production hold.'] : [];

// The pack is started where the program is, but looks for its version in the package.json of the working directory.
const program = process.cwd();
process.chdir(import.meta.dirname);
new PolicyPack(PACK, {
  displayName: 'Inference Stack Fleet',
  description: 'Refuses two operators of one major version, and what else would hurt a fleet.',
  policies: policiesOf(RULES, stageOf(stack ?? ''), factsLoader([PACKAGE], readReleased()), notes),
});
process.chdir(program);

import { PolicyPack } from '@pulumi/policy';
import { PACKAGE } from '../components/bundle/operator-names.ts';
import { stageOf } from './core/levels.ts';
import { policiesOf } from './core/pulumi.ts';
import { factsLoader } from './facts/load.ts';
import { readReleased } from './facts/released.ts';
import { RULES } from './rules/index.ts';

const stage = stageOf(process.env['PULUMI_STACK'] ?? '');

new PolicyPack('inference-stack-fleet', {
  displayName: 'Inference Stack Fleet',
  description: 'Refuses two operators of one major version, and what else would hurt a fleet.',
  policies: policiesOf(RULES, stage, factsLoader([PACKAGE], await readReleased())),
});

import { PolicyPack } from '@pulumi/policy';
import { useStackTracesOfNode } from '../../packages/lib/stack-traces.ts';
import { PACKAGE } from '../../packages/api/operator-names.ts';
import { readReleased } from '../facts/released.ts';
import { stageOf } from '../knowledge/levels.ts';
import { RULES } from '../rules/index.ts';
import { factsLoader } from './load-facts.ts';
import { PACK, policiesOf } from './policies.ts';

/** Where the pack is, in a checkout or copied elsewhere. */
export interface PackFiles {
  /** The folder with the package.json that says the pack's version. */
  readonly folder: string;
  /** The lock of released versions. */
  readonly lock: string;
  /** The page about the rules, as people find it. */
  readonly docs: string;
}

/** Serves the rules to Pulumi. */
export function startPack({ folder, lock, docs }: PackFiles): void {
  useStackTracesOfNode();
  // Set by `fleet preview` and `fleet up`, since Pulumi does not pass the environment's name to a pack.
  const environment = process.env['PULUMI_STACK'];
  const unnamed = 'PULUMI_STACK does not name the environment, so the levels of production hold.';
  const policies = policiesOf(RULES, {
    stage: stageOf(environment ?? ''),
    load: factsLoader([PACKAGE], readReleased(lock)),
    docs,
    notes: environment === undefined ? [unnamed] : [],
  });
  // Pulumi starts the pack in the program's directory, but reads the version from the working directory's package.json.
  const program = process.cwd();
  process.chdir(folder);
  new PolicyPack(PACK, {
    displayName: 'Inference Stack Fleet',
    description: 'Refuses two operators of one major version, and what else would hurt a fleet.',
    policies,
  });
  process.chdir(program);
}

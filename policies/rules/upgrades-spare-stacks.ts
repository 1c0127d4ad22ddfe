import { operatorNames } from '../../packages/api/operator-names.ts';
import { names } from '../../packages/lib/message.ts';
import type { PlannedUpgrade } from '../knowledge/facts.ts';
import { ADVISORY_IN_DEV } from '../knowledge/levels.ts';
import { whole } from '../knowledge/rule.ts';
import type { Finding, FleetRule, Subject } from '../knowledge/rule.ts';

export const upgradesSpareStacks: FleetRule = {
  scope: 'fleet',
  name: 'upgrades-spare-stacks',
  title: 'Upgrades spare the stacks that run',
  description:
    'No upgrade of an operator replaces more pods than a set number, or refuses a stack, unless the settings say so.',
  severity: 'high',
  levels: ADVISORY_IN_DEV,
  remedy:
    "Look at the impact in the preview. To go on, set acceptImpact of the operator to the version, in the environment's file, or raise maxPods.",
  settings: {
    maxPods: {
      type: 'integer',
      minimum: 0,
      default: 20,
      description: 'How many pods an upgrade may replace before somebody has to accept it.',
    },
  },
  check: (subjects, { upgrades = [] }, settings) => {
    const most = whole(settings, 'maxPods');
    return upgrades.flatMap((upgrade) => {
      const subject = subjects.find((each) => isExtensionOf(each, upgrade));
      return subject === undefined || upgrade.accepted ? [] : findings(subject, upgrade, most);
    });
  },
};

function isExtensionOf({ title }: Subject, { major }: PlannedUpgrade): boolean {
  return title === `ClusterExtension ${operatorNames(major).operator}`;
}

function findings(subject: Subject, { from, to, pods, refused, unknown }: PlannedUpgrade, most: number): Finding[] {
  const upgrade = `${subject.title} should not go from ${from} to ${to}`;
  const problems = [
    ...(unknown === undefined ? [] : [`${upgrade} while its impact is not known: ${unknown}`]),
    ...(pods > most
      ? [`${upgrade}: it replaces ${pods} ${pods === 1 ? 'pod' : 'pods'} of InferenceStacks, and ${most} are allowed.`]
      : []),
    ...(refused.length > 0 ? [`${upgrade}: it refuses ${names(refused)}.`] : []),
  ];
  return problems.map((message) => ({ subject, message, kind: 'violation' }));
}

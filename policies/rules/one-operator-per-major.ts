import { FLEET_PACKAGES } from '../knowledge/olm/extension.ts';
import { claimantOf, everyExtension } from '../knowledge/olm/claimant.ts';
import type { Claimant } from '../knowledge/olm/claimant.ts';
import { ALWAYS_MANDATORY } from '../knowledge/levels.ts';
import { judge, words } from '../knowledge/rule.ts';
import type { Finding, FleetRule } from '../knowledge/rule.ts';

export const oneOperatorPerMajor: FleetRule = {
  scope: 'fleet',
  name: 'one-operator-per-major',
  title: 'One operator per major version',
  description: 'No two ClusterExtensions of one package resolve to the same major version.',
  severity: 'critical',
  levels: ALWAYS_MANDATORY,
  remedy: 'Keep one ClusterExtension per major: remove one of the two, or give it a channel of another major.',
  settings: FLEET_PACKAGES,
  check: (subjects, facts, settings) => {
    const findings: Finding[] = [];
    const claimants: Claimant[] = [];
    for (const subject of everyExtension(subjects, facts)) {
      findings.push(
        ...judge(subject, () => {
          const claimant = claimantOf(subject, facts);
          if (!words(settings, 'packages').includes(claimant.packageName)) return [];
          const messages = claimants.flatMap((other) => collision(other, claimant));
          claimants.push(claimant);
          return messages;
        }),
      );
    }
    return findings;
  },
};

function collision(first: Claimant, second: Claimant): string[] {
  if (first.packageName !== second.packageName) return [];
  const named = [...first.claim.named, ...second.claim.named];
  // One major above all named ones stands for everything higher, since two ranges may both be open.
  const candidates = [...new Set([0, ...named, Math.max(0, ...named) + 1])].sort((a, b) => a - b);
  const major = candidates.find((candidate) => first.claim.takes(candidate) && second.claim.takes(candidate));
  if (major === undefined) return [];
  const who = [first, second].map(({ subject, claim }) => `${subject.title} (${claim.reason})`);
  return [`${who.join(' and ')} both take major ${major} of ${second.packageName}.`];
}

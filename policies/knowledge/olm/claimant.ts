import { claimOf } from './claim.ts';
import type { Claim } from './claim.ts';
import { filterOf, installedOf, isExtension, packageOf } from './extension.ts';
import type { Facts } from '../facts.ts';
import type { Subject } from '../rule.ts';
import { subjectOf } from '../subject.ts';

/** A ClusterExtension and the majors that it takes. */
export interface Claimant {
  readonly subject: Subject;
  readonly packageName: string;
  readonly claim: Claim;
}

/** The extensions of the program, then those that other programs or people have put into the cluster. */
export function everyExtension(subjects: readonly Subject[], facts: Facts): Subject[] {
  const declared = subjects.filter((subject) => isExtension(subject.object)).sort(byName);
  const titles = new Set(declared.map((subject) => subject.title));
  const others = (facts.cluster?.extensions ?? []).map((object) => subjectOf(object));
  return [...declared, ...others.filter((subject) => !titles.has(subject.title))];
}

/** Extensions with the right name come first, so a finding is about the other one; then by name, for a stable order. */
function byName(a: Subject, b: Subject): number {
  const isOdd = ({ title }: Subject): number => (/-v\d+$/.test(title) ? 0 : 1);
  return isOdd(a) - isOdd(b) || (a.title < b.title ? -1 : 1);
}

/** What an extension takes, given what the cluster has installed for it. */
export function claimantOf(subject: Subject, facts: Facts): Claimant {
  const name = subject.object.text('metadata', 'name');
  const live = facts.cluster?.extensions.find((extension) => extension.text('metadata', 'name') === name);
  const installed = live === undefined ? undefined : installedOf(live);
  return {
    subject,
    packageName: packageOf(subject.object) ?? '',
    claim: claimOf(filterOf(subject.object), facts, installed),
  };
}

import type { PackageContent } from '../../components/catalog/served-catalog.ts';
import type { Facts } from '../core/facts.ts';
import { ALWAYS_MANDATORY } from '../core/levels.ts';
import { judge } from '../core/rule.ts';
import type { Finding, FleetRule, Subject } from '../core/rule.ts';

export const catalogIsAppendOnly: FleetRule = {
  scope: 'fleet',
  name: 'catalog-is-append-only',
  title: 'Released versions stay',
  description: 'A catalog keeps every version that was released, with the same image and in its stable channel.',
  severity: 'critical',
  levels: ALWAYS_MANDATORY,
  remedy: 'Put the version back as it was. To lead people away from it, deprecate it and release a new one.',
  check: (subjects, facts) => {
    const catalogs = subjects.filter((subject) => subject.object.kind === 'ClusterCatalog');
    return catalogs
      .flatMap((subject) => judge(subject, () => problems(subject, facts)))
      .concat(unjudged(catalogs, facts));
  },
};

function problems({ object, title }: Subject, facts: Facts): string[] {
  const name = object.text('metadata', 'name');
  const planned = facts.catalogs.find((catalog) => catalog.name === name && catalog.isKnown);
  const served = facts.cluster?.catalogs.find((catalog) => catalog.name === name && catalog.isKnown);
  if (planned === undefined) return [];
  const baselines: readonly (readonly [string, readonly PackageContent[]])[] = [
    ['the lock has it', facts.released ?? []],
    ['the cluster serves it', served?.packages ?? []],
  ];
  return baselines.flatMap(([why, packages]) =>
    packages.flatMap((before) => {
      const after = planned.packages.find((content) => content.package.name === before.package.name);
      return losses(before, after).map((loss) => `${title} should keep ${loss}: ${why}.`);
    }),
  );
}

/** What was there and is not, or not the same. */
function losses(before: PackageContent, after: PackageContent | undefined): string[] {
  return before.bundles.flatMap((bundle) => {
    const next = after?.bundles.find((candidate) => candidate.name === bundle.name);
    if (next === undefined) return [bundle.name];
    const isSame = next.image === bundle.image || next.image === '';
    const image = isSame ? [] : [`${bundle.name} at image ${bundle.image}, not ${next.image}`];
    const left = stableChannels(before, bundle.name).filter(
      (name) => !stableChannels(after, bundle.name).includes(name),
    );
    return [...image, ...left.map((channel) => `${bundle.name} in channel ${channel}`)];
  });
}

function stableChannels(content: PackageContent | undefined, bundle: string): string[] {
  const channels = content?.channels.filter(({ entries }) => entries.some((entry) => entry.name === bundle)) ?? [];
  return channels.map(({ name }) => name).filter((name) => name.startsWith('stable-'));
}

function unjudged(catalogs: readonly Subject[], facts: Facts): Finding[] {
  if (facts.cluster !== undefined) return [];
  return catalogs.map((subject) => ({
    subject,
    message: `${subject.title}: there is no cluster to compare with, so only the lock is.`,
    kind: 'unknown',
  }));
}

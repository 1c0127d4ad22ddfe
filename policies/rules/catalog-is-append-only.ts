import { isDevelopment, mayBeOlder } from '../../components/catalog/catalog-source.ts';
import type { BundleContent, PackageContent } from '../../components/catalog/served-catalog.ts';
import type { Facts, KnownCatalog } from '../knowledge/facts.ts';
import { ALWAYS_MANDATORY } from '../knowledge/levels.ts';
import { known } from '../knowledge/objects/object-reader.ts';
import { judge } from '../knowledge/rule.ts';
import type { Finding, FleetRule, Subject } from '../knowledge/rule.ts';

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
    return catalogs.flatMap((subject) => {
      const name = known(() => subject.object.text('metadata', 'name'));
      const catalog = facts.catalogs.find((candidate) => candidate.name === name);
      if (isDevelopment(catalog?.labels)) return [];
      return [...judge(subject, () => problems(subject, catalog, facts)), ...unjudged(subject, catalog, facts)];
    });
  },
};

/** What a catalog is compared with. */
interface Baseline {
  readonly why: string;
  readonly packages: readonly PackageContent[];
  /** True if every version has to be there; false if only the present ones have to be unchanged. */
  readonly isComplete: boolean;
}

function problems({ title }: Subject, catalog: KnownCatalog | undefined, facts: Facts): string[] {
  if (catalog?.isKnown !== true) return [];
  const served = facts.cluster?.catalogs.find(({ name, isKnown }) => name === catalog.name && isKnown);
  const isComplete = catalog.isPlanned === true && !mayBeOlder(catalog.labels);
  const baselines: readonly Baseline[] = [
    { why: 'the lock has it', packages: facts.released ?? [], isComplete },
    { why: 'the cluster serves it', packages: served?.packages ?? [], isComplete: true },
  ];
  return baselines.flatMap(({ why, packages, ...baseline }) =>
    packages.flatMap((before) => {
      const after = catalog.packages.find((content) => content.package.name === before.package.name);
      return losses(before, after, baseline).map((loss) => `${title} should keep ${loss}: ${why}.`);
    }),
  );
}

/** What is missing or has changed. */
function losses(
  before: PackageContent,
  after: PackageContent | undefined,
  { isComplete }: Pick<Baseline, 'isComplete'>,
): string[] {
  return before.bundles.flatMap((bundle) => {
    const next = after?.bundles.find((candidate) => candidate.name === bundle.name);
    if (next === undefined) return isComplete ? [bundle.name] : [];
    const stays = stableChannels(after, bundle.name);
    // A catalog from before a promotion does not have the version in its stable channel yet.
    const left = stableChannels(before, bundle.name).filter((name) => !stays.includes(name));
    return [...imageLoss(bundle, next), ...(isComplete ? left : []).map((name) => `${bundle.name} in channel ${name}`)];
  });
}

/** The image of a bundle that this run builds is not known yet. */
function imageLoss(bundle: BundleContent, next: BundleContent): string[] {
  if (next.image === bundle.image || next.image === '') return [];
  return [`${bundle.name} at image ${bundle.image}, not ${next.image}`];
}

function stableChannels(content: PackageContent | undefined, bundle: string): string[] {
  const channels = content?.channels.filter(({ entries }) => entries.some((entry) => entry.name === bundle)) ?? [];
  return channels.map(({ name }) => name).filter((name) => name.startsWith('stable-'));
}

function unjudged(subject: Subject, catalog: KnownCatalog | undefined, facts: Facts): Finding[] {
  const unread = facts.cluster?.catalogs.find(({ name }) => name === catalog?.name)?.unread;
  const reasons = [
    ...(catalog?.isKnown === true ? [] : ['its content is not known, so nothing can be missed in it']),
    ...(facts.released === undefined ? ['there is no lock of released versions to compare with'] : []),
    ...(unread === undefined
      ? []
      : [`what the cluster serves cannot be read, so it is not compared with it: ${unread}`]),
    ...(facts.cluster === undefined ? ['there is no cluster to compare with'] : []),
  ];
  return reasons.map((reason) => ({ subject, message: `${subject.title}: ${reason}.`, kind: 'unknown' }));
}

import type { PackageContent } from './served-catalog.ts';

/** Properties that affect resolution, or that a policy checks. The rest is most of a catalog. */
const DECIDING: readonly string[] = [
  'olm.package',
  'olm.gvk',
  'olm.gvk.required',
  'olm.package.required',
  'olm.constraint',
];

/** The part of a package that decides installs and upgrades. It is small enough to be kept in an environment's state. */
export function upgradeGraph(content: PackageContent): PackageContent {
  const { channels, bundles, deprecations } = content;
  return {
    package: { name: content.package.name },
    channels: channels.map(({ name, entries }) => ({ name, entries })),
    bundles: bundles.map(({ name, image, properties }) => ({
      name,
      image,
      properties: properties.filter(({ type }) => DECIDING.includes(type)),
    })),
    ...(deprecations === undefined ? {} : { deprecations: { entries: deprecations.entries } }),
  };
}

import type { PackageContent } from './served-catalog.ts';

/** Properties that decide what an extension resolves to, or that a policy asks about. The rest makes up most of a catalog. */
const DECIDING: readonly string[] = [
  'olm.package',
  'olm.gvk',
  'olm.gvk.required',
  'olm.package.required',
  'olm.constraint',
];

/** What of a package decides about installs and upgrades: small enough to be kept in an environment's state. */
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

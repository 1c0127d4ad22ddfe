import { PACKAGE } from '../../../packages/api/operator-names.ts';
import type { CatalogFilter } from '../../../components/catalog/served-catalog.ts';
import type { InstalledBundle } from '../../../components/catalog/successors.ts';
import { parseVersion } from '../../../components/catalog/version.ts';
import { selectorOf } from '../objects/label-selector.ts';
import type { ObjectReader } from '../objects/object-reader.ts';
import type { SettingsSchema } from '../rule.ts';

/** The package whose extensions the rules watch over, unless settings name others. */
export const FLEET_PACKAGES: SettingsSchema = {
  packages: {
    type: 'array',
    items: { type: 'string' },
    default: [PACKAGE],
    description: 'Packages whose ClusterExtensions are judged.',
  },
};

export function isExtension(object: ObjectReader): boolean {
  return object.kind === 'ClusterExtension' && object.group === 'olm.operatorframework.io';
}

export function packageOf(extension: ObjectReader): string | undefined {
  return extension.text('spec', 'source', 'catalog', 'packageName');
}

/** What the extension accepts from catalogs. */
export function filterOf(extension: ObjectReader): CatalogFilter {
  const source = extension.child('spec', 'source', 'catalog');
  const version = source.text('version');
  const policy = source.text('upgradeConstraintPolicy');
  return {
    packageName: source.text('packageName') ?? '',
    channels: source.strings('channels'),
    selector: selectorOf(source.child('selector')),
    ...(version === undefined ? {} : { version }),
    ...(policy === undefined ? {} : { upgradeConstraintPolicy: policy }),
  };
}

/** What OLM says is installed. */
export function installedOf(extension: ObjectReader): InstalledBundle | undefined {
  const bundle = extension.child('status', 'install', 'bundle');
  const name = bundle.text('name');
  const version = parseVersion(bundle.text('version') ?? '');
  return name === undefined || version === undefined ? undefined : { name, version };
}

import { isDevelopment } from '../../components/catalog/catalog-source.ts';
import { CATALOG_NAME_LABEL } from '../../components/catalog/served-catalog.ts';
import { FLEET_PACKAGES, isExtension, packageOf } from '../knowledge/olm/extension.ts';
import { PROD_ONLY } from '../knowledge/levels.ts';
import type { Facts } from '../knowledge/facts.ts';
import { judge, words } from '../knowledge/rule.ts';
import type { ObjectRule, Settings, Subject } from '../knowledge/rule.ts';

export const stableChannelsOnly: ObjectRule = {
  scope: 'object',
  name: 'stable-channels-only',
  title: 'Stable channels of the production catalog',
  description: 'In production, extensions subscribe to stable channels, and no development catalog is there.',
  severity: 'high',
  levels: PROD_ONLY,
  remedy:
    'Use a stable-v<major> channel of the production catalog. Promote a version with make catalog-promote VERSION=.',
  settings: {
    ...FLEET_PACKAGES,
    developmentCatalogs: {
      type: 'array',
      items: { type: 'string' },
      default: ['inference-stack-catalog-dev'],
      description:
        'Names of ClusterCatalogs that hold versions under development, besides those that say so themselves.',
    },
  },
  check: (subject, facts, settings) => judge(subject, () => problems(subject, facts, settings)),
};

function problems({ object, title }: Subject, facts: Facts, settings: Settings): string[] {
  const development = [
    ...words(settings, 'developmentCatalogs'),
    ...facts.catalogs.filter(({ labels }) => isDevelopment(labels)).map(({ name }) => name),
  ];
  const name = object.text('metadata', 'name') ?? '';
  if (object.kind === 'ClusterCatalog' && development.includes(name)) {
    return [`${title} should not be in a production cluster: it serves versions under development.`];
  }
  if (!isExtension(object) || !words(settings, 'packages').includes(packageOf(object) ?? '')) return [];
  const unstable = object
    .strings('spec', 'source', 'catalog', 'channels')
    .filter((channel) => !channel.startsWith('stable-'));
  const catalog = object.text('spec', 'source', 'catalog', 'selector', 'matchLabels', CATALOG_NAME_LABEL) ?? '';
  return [
    ...unstable.map((channel) => `${title} should subscribe to a stable channel, not ${channel}.`),
    ...(development.includes(catalog)
      ? [`${title} should not take versions from development catalog ${catalog}.`]
      : []),
  ];
}

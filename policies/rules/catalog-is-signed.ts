import {
  mayBeOlder,
  CATALOG_SOURCE_LABEL,
  VERIFIED_DIGEST,
  VERIFIED_KEY,
} from '../../components/catalog/catalog-source.ts';
import { PROD_ONLY } from '../knowledge/levels.ts';
import { judge, words, type ObjectRule, type Subject } from '../knowledge/rule.ts';

const REF = ['spec', 'source', 'image', 'ref'] as const;

export const catalogIsSigned: ObjectRule = {
  scope: 'object',
  name: 'catalog-is-signed',
  title: 'Signed catalogs',
  description: 'A catalog image that somebody else has built is one whose signature was verified.',
  severity: 'high',
  levels: PROD_ONLY,
  remedy: 'Set catalog.verify to the public key of whoever made the catalog, and name its image by digest.',
  settings: {
    keys: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: 'Fingerprints of the keys that may sign, as the annotation has them. Without any, every key may.',
    },
  },
  check: (subject, _facts, settings) => {
    if (subject.object.kind !== 'ClusterCatalog') return [];
    return judge(subject, () => problems(subject, words(settings, 'keys')), REF.join('.'));
  },
};

function problems({ object, title }: Subject, keys: readonly string[]): readonly string[] {
  const source = object.text('metadata', 'labels', CATALOG_SOURCE_LABEL);
  if (source === undefined || !mayBeOlder({ [CATALOG_SOURCE_LABEL]: source })) return [];
  const digest = object.text('metadata', 'annotations', VERIFIED_DIGEST);
  const key = object.text('metadata', 'annotations', VERIFIED_KEY);
  if (digest === undefined || key === undefined)
    return [`${title} should serve an image whose signature was verified.`];
  const ref = object.text(...REF) ?? '';
  if (!ref.endsWith(`@${digest}`)) return [`${title} should serve the image that was verified, ${digest}, not ${ref}.`];
  return keys.length === 0 || keys.includes(key)
    ? []
    : [`${title} should be signed by one of the keys ${keys.join(', ')}, not by ${key}.`];
}

import { isByDigest } from '../../components/registry/reference.ts';
import { imagesOf } from '../knowledge/objects/images.ts';
import { ADVISORY_IN_DEV } from '../knowledge/levels.ts';
import { judge, words } from '../knowledge/rule.ts';
import type { ObjectRule } from '../knowledge/rule.ts';

export const imagesByDigest: ObjectRule = {
  scope: 'object',
  name: 'images-by-digest',
  title: 'Images by digest',
  description: 'Workloads and catalogs name their images by digest, so that a preview shows exactly what will run.',
  severity: 'high',
  levels: ADVISORY_IN_DEV,
  remedy: 'Write the image as <name>@sha256:<digest>; in an InferenceStack, set image.digest.',
  settings: {
    exemptNamespaces: {
      type: 'array',
      items: { type: 'string' },
      default: ['olmv1-system'],
      description: "Namespaces whose workloads come from other people's releases.",
    },
  },
  check: (subject, _facts, settings) => {
    const namespace = subject.object.text('metadata', 'namespace') ?? '';
    // A catalog has no namespace. The API server drops one that is written, so it must not exempt the catalog.
    const isExempt =
      subject.object.kind !== 'ClusterCatalog' &&
      subject.isMade !== true &&
      words(settings, 'exemptNamespaces').includes(namespace);
    if (isExempt) return [];
    return imagesOf(subject.object).flatMap(({ where, path, read }) => {
      const judgement = (): string[] => {
        const image = read();
        if (isByDigest(image)) return [];
        return [`${subject.title} should name the image of ${where} by digest, not ${JSON.stringify(image)}.`];
      };
      return judge(subject, judgement, path);
    });
  },
};

import { imagesOf } from '../core/images.ts';
import { ADVISORY_IN_DEV } from '../core/levels.ts';
import { judge } from '../core/rule.ts';
import type { ObjectRule } from '../core/rule.ts';

export const imagesByDigest: ObjectRule = {
  scope: 'object',
  name: 'images-by-digest',
  title: 'Images by digest',
  description: 'Workloads and catalogs name their images by digest, so that a preview shows exactly what will run.',
  severity: 'high',
  levels: ADVISORY_IN_DEV,
  remedy: 'Write the image as <name>@sha256:<digest>.',
  check: (subject) =>
    imagesOf(subject.object).flatMap(({ where, read }) =>
      judge(subject, () => {
        const image = read();
        if (/@sha256:[0-9a-f]{64}$/.test(image)) return [];
        return [`${subject.title} should name the image of ${where} by digest, not ${JSON.stringify(image)}.`];
      }),
    ),
};

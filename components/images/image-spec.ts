import { ProblemsError } from '../../packages/lib/problem.ts';
import { parseReference } from '../registry/reference.ts';
import type { ImageReference } from '../registry/reference.ts';
import type { SourceRevision } from './source-revision.ts';

/** Facts about an image, in the words of the OCI annotation keys. */
export interface ImageFacts {
  readonly title: string;
  readonly version: string;
  readonly source: SourceRevision;
}

/** The labels that tell people and scanners where an image came from. None of them depends on a clock. */
export function imageLabels({ title, version, source }: ImageFacts): Record<string, string> {
  const prefix = 'org.opencontainers.image';
  return {
    [`${prefix}.title`]: title,
    [`${prefix}.version`]: version,
    [`${prefix}.created`]: source.created.toISOString().replace(/\.\d+Z$/, 'Z'),
    [`${prefix}.revision`]: source.revision,
    ...(source.url === undefined ? {} : { [`${prefix}.source`]: source.url }),
  };
}

/**
 * The date of everything in an image. BuildKit moves dates back to it but never forward, and a file may be older than
 * the commit that it is part of: only a date before all files makes the same commit the same image wherever it is
 * checked out. A label says when the source was committed.
 */
export const SOURCE_DATE_EPOCH = 0;

/** How BuildKit exports: pushed, in OCI form, files dated by SOURCE_DATE_EPOCH. */
export const REGISTRY_EXPORT = { type: 'registry', 'rewrite-timestamp': 'true', 'oci-mediatypes': 'true' } as const;

/** The name under which an image is pushed: canonical, with a tag, since its digest is not known before. */
export function pushReference(name: string): ImageReference & { readonly tag: string } {
  const reference = parseReference(name);
  if (reference?.tag === undefined || reference.digest !== undefined) {
    const remedy = 'Write registry host, path and tag, e.g. registry.example.com/fleet/operator:1.0.0.';
    throw new ProblemsError([{ path: 'image', value: name, message: 'is not a name to push under', remedy }]);
  }
  return { ...reference, tag: reference.tag };
}

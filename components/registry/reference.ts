import type { Problem } from '../../packages/lib/problem.ts';
import { definedOnly } from '../../packages/lib/values.ts';

/** A canonical image name: registry host, path, and a tag or a digest. */
export interface ImageReference {
  /** `docker.io`, `registry.example.com:5000` */
  readonly host: string;
  /** `tytn/operator-bundle` */
  readonly path: string;
  readonly tag?: string;
  readonly digest?: string;
}

const HOST = /^(?:localhost|\[[0-9a-fA-F:]+\]|[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+|[a-zA-Z0-9-]+(?=:))(?::\d+)?$/;
const PATH = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads a canonical name. A short name such as `tytn/operator-bundle:1.0.0` means different images on machines with
 * different search registries, so catalogs refuse it.
 */
export function parseReference(image: string): ImageReference | undefined {
  const [name = '', digest, ...rest] = image.split('@');
  if (rest.length > 0 || (digest !== undefined && !DIGEST.test(digest))) return undefined;
  const slash = name.indexOf('/');
  const host = name.slice(0, Math.max(slash, 0));
  const [path = '', tag, ...more] = name.slice(slash + 1).split(':');
  if (!HOST.test(host) || !PATH.test(path) || more.length > 0) return undefined;
  if (tag === undefined ? digest === undefined : !TAG.test(tag)) return undefined;
  return definedOnly({ host, path, tag, digest });
}

/** What is wrong with an image name; nothing when it is canonical. */
export function referenceProblems(image: string, where: { object?: string; path: string }): Problem[] {
  if (parseReference(image) !== undefined) return [];
  return [
    {
      ...where,
      value: image,
      message: 'is not a canonical image name',
      remedy: 'Write registry host, path and tag or digest, e.g. registry.example.com/fleet/operator-bundle:3.0.0.',
    },
  ];
}

/** Whether an image is named by digest. Its name need not be canonical: what runs is certain in any case. */
export function isByDigest(image: string): boolean {
  const [, digest = ''] = image.split('@');
  return DIGEST.test(digest);
}

/** Refuses a name by which something else could be meant tomorrow, or by another machine. */
export function digestProblems(image: string, path: string): Problem[] {
  const reference = parseReference(image);
  if (reference?.digest !== undefined && reference.tag === undefined) return [];
  const message = 'is not named by its registry and its digest alone, so what it stands for could change';
  const remedy =
    'Write HOST/PATH@sha256:DIGEST; `docker buildx imagetools inspect IMAGE` prints the digest that a tag has now.';
  return [{ path, value: image, message, remedy }];
}

/** `host/path`, without tag and digest. */
export function repository(reference: ImageReference): string {
  return `${reference.host}/${reference.path}`;
}

/** `host/path@digest`: OLM's image library refuses names that have a tag and a digest. */
export function byDigest(reference: ImageReference, digest: string): string {
  return `${repository(reference)}@${digest}`;
}

export function formatReference(reference: ImageReference): string {
  const tag = reference.tag === undefined ? '' : `:${reference.tag}`;
  const digest = reference.digest === undefined ? '' : `@${reference.digest}`;
  return `${repository(reference)}${tag}${digest}`;
}

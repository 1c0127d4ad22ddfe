import { ProblemsError } from '../../packages/lib/problem.ts';
import { formatReference, type ImageReference } from '../registry/reference.ts';
import type { Descriptor, StoredManifest } from '../registry/registry-client.ts';
import { RegistryError } from '../registry/registry-error.ts';
import { attachmentTag } from '../signatures/verify.ts';
import type { ImageSource, ImageTarget } from './store.ts';

/** What is told while an image is copied. */
export interface CopyReport {
  /** Bytes of blobs that are in the target, since this run or from before. */
  count(bytes: number, how: 'copied' | 'there'): void;
}

export interface Copy {
  readonly source: ImageSource;
  readonly target: ImageTarget;
  readonly report: CopyReport;
}

/** An index of indexes is as deep as builders go, and images have tens of layers and platforms. */
const MAX_DEPTH = 3;
const MAX_PARTS = 1000;

/**
 * Copies an image with everything below it, whole: every platform of an index, and what is attached to each manifest, such as signatures
 * and attestations. A manifest is written after what it names, so whoever finds it finds all of it.
 */
export async function copyImage(copy: Copy, reference: ImageReference): Promise<StoredManifest> {
  const manifest = await copy.source.manifest(reference);
  await copyManifest(copy, reference, manifest, 0);
  return manifest;
}

async function copyManifest(
  copy: Copy,
  reference: ImageReference,
  manifest: StoredManifest,
  depth: number,
): Promise<void> {
  const { manifests = [], layers = [], config } = manifest.content;
  const parts = [...manifests, ...layers].length;
  if (depth > MAX_DEPTH || parts > MAX_PARTS) {
    const message =
      depth > MAX_DEPTH ? 'has indexes within indexes without end' : `names ${parts} parts, more than ${MAX_PARTS}`;
    throw new ProblemsError([
      { object: formatReference(reference), path: '', message, remedy: 'Build it again with a common builder.' },
    ]);
  }
  for (const child of manifests) {
    const named = byDigestOf(reference, child.digest);
    await copyManifest(copy, named, await copy.source.manifest(named), depth + 1);
  }
  await copyBlobs(copy, reference, [...(config === undefined ? [] : [config]), ...layers]);
  await copy.target.putManifest(reference, manifest);
  // What is attached to an attachment, such as a signature of a signature, is nobody's business here.
  if (depth < MAX_DEPTH && !isAttachment(reference)) await copyAttachments(copy, reference, manifest.digest, depth);
}

async function copyBlobs(
  { source, target, report }: Copy,
  reference: ImageReference,
  blobs: readonly Descriptor[],
): Promise<void> {
  const waiting = new Map(blobs.map((blob) => [blob.digest, blob])).values();
  const work = async (): Promise<void> => {
    for (const blob of waiting) {
      if (await target.hasBlob(reference, blob)) {
        report.count(blob.size, 'there');
        continue;
      }
      const content = await source.blob(reference, blob);
      await target.putBlob(reference, blob, content);
      report.count(blob.size, 'copied');
    }
  };
  await Promise.all(Array.from({ length: target.parallel }, work));
}

/** cosign's own tags, and what the referrers API lists. The list is kept under its tag, where registries without that API have it. */
async function copyAttachments(copy: Copy, reference: ImageReference, digest: string, depth: number): Promise<void> {
  const { host, path } = reference;
  const listTag = digest.replace(':', '-');
  const tags = [...(['sig', 'att', 'sbom'] as const).map((kind) => attachmentTag(digest, kind)), listTag];
  for (const tag of tags) {
    const named = { host, path, tag };
    const listed = tag === listTag ? await copy.source.referrers(reference, digest) : undefined;
    const manifest = listed ?? (await manifestIfAny(copy.source, named));
    if (manifest !== undefined) await copyManifest(copy, named, manifest, Math.max(depth, 1));
  }
}

async function manifestIfAny(source: ImageSource, reference: ImageReference): Promise<StoredManifest | undefined> {
  try {
    return await source.manifest(reference);
  } catch (error) {
    if (error instanceof RegistryError && error.status === 404) return undefined;
    throw error;
  }
}

function isAttachment({ tag }: ImageReference): boolean {
  return /^sha256-[0-9a-f]{64}(\.\w+)?$/.test(tag ?? '');
}

function byDigestOf({ host, path }: ImageReference, digest: string): ImageReference {
  return { host, path, digest };
}

import { manifestImages, type ManifestObject, type OlmController } from '../../components/olm/manifest.ts';
import { messageOf } from '../../packages/lib/error.ts';
import type { Problem } from '../../packages/lib/problem.ts';

export type OlmImages = Readonly<Partial<Record<OlmController, string>>>;

export interface PinnedImages {
  readonly images: OlmImages;
  /** Images that are still named by a tag, and why. */
  readonly problems: readonly Problem[];
}

/**
 * Names every image of OLM by digest. A released manifest names them by tag, so the digests are those that its registry
 * has now; a tag that moves later shows as a change in the next preview, before anything runs.
 */
export async function pinOlmImages(
  chosen: OlmImages,
  manifest: readonly ManifestObject[],
  pin: (image: string) => Promise<string>,
): Promise<PinnedImages> {
  const images: Partial<Record<OlmController, string>> = { ...chosen };
  const problems: Problem[] = [];
  const named = [...manifestImages(manifest)].filter(([controller]) => chosen[controller] === undefined);
  const pinned = await Promise.allSettled(named.map(([, image]) => pin(image)));
  for (const [index, [controller, image]] of named.entries()) {
    const outcome = pinned[index];
    if (outcome?.status === 'fulfilled') images[controller] = outcome.value;
    else problems.push(unpinned(controller, image, outcome?.reason));
  }
  return { images, problems };
}

function unpinned(controller: OlmController, image: string, error: unknown): Problem {
  const reason = messageOf(error);
  return {
    path: `olm.images.${controller}`,
    value: image,
    message: `is named by tag in OLM’s manifest, but its digest could not be read from the registry: ${reason}`,
    remedy: 'Set it to <repository>@sha256:<digest>.',
  };
}

import { manifestImages, type ManifestObject, type OlmController } from '../../components/olm/manifest.ts';
import type { Problem } from '../../controller/src/problem.ts';

export type OlmImages = Readonly<Partial<Record<OlmController, string>>>;

export interface PinnedImages {
  readonly images: OlmImages;
  /** Images that are still named by a tag, and why. */
  readonly problems: readonly Problem[];
}

/**
 * Names every image of OLM by digest. A released manifest names them by tag, so what its registry has now counts; a tag
 * that moves later shows as a change in the next preview, before anything runs.
 */
export async function pinOlmImages(
  chosen: OlmImages,
  manifest: readonly ManifestObject[],
  pin: (image: string) => Promise<string>,
): Promise<PinnedImages> {
  const images: Partial<Record<OlmController, string>> = { ...chosen };
  const problems: Problem[] = [];
  for (const [controller, image] of manifestImages(manifest)) {
    if (images[controller] !== undefined) continue;
    try {
      images[controller] = await pin(image);
    } catch (error) {
      problems.push({
        path: `olm.images.${controller}`,
        value: image,
        message: `is named by tag in OLM’s manifest, and its registry does not tell the digest: ${reasonOf(error)}`,
        remedy: 'Set it to <repository>@sha256:<digest>.',
      });
    }
  }
  return { images, problems };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

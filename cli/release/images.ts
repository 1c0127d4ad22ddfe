import { buildImage, planImage, type BuildKitAccess, type ImageBuild } from '../../components/images/build-image.ts';
import { pushedImage } from '../../components/images/image-manifests.ts';
import { byDigest, parseReference } from '../../components/registry/reference.ts';
import type { RegistryClient } from '../../components/registry/registry-client.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';

/** How a release reaches BuildKit and the registry. */
export interface ReleaseAccess {
  readonly client: RegistryClient;
  readonly buildkit: BuildKitAccess;
}

/**
 * What the registry has of an image that a release would push: `repository@digest` of the same content, or nothing. Refuses other content:
 * somebody may have pulled it. What is attached may differ, since it says when the image was built.
 */
export async function releasedImage(
  build: ImageBuild,
  { client, buildkit }: ReleaseAccess,
): Promise<string | undefined> {
  const found = await pushedImage(client, build.reference);
  if (found === undefined) return undefined;
  const planned = await planImage(build, buildkit);
  const reference = parseReference(build.reference);
  if (reference !== undefined && sameItems(planned, found.manifests)) return byDigest(reference, found.digest);
  throw otherContent(build.reference, found.digest, `this checkout makes ${planned.join(', ')} of it`);
}

/** A tag that has what this release does not make. */
export function otherContent(image: string, digest: string, because: string): ProblemsError {
  const remedy =
    'Nothing was pushed. Release the next version, which skips this number; if an earlier run of this release pushed it, use the ' +
    'same commit, BASE_IMAGE and IMAGE_PLATFORMS.';
  const message = `exists in the registry with other content: ${because}`;
  return new ProblemsError([{ object: `image ${image}`, path: 'digest', value: digest, message, remedy }]);
}

/** Pushes an image that the registry does not have yet. */
export async function ensureImage(
  build: ImageBuild,
  access: ReleaseAccess,
): Promise<readonly [ref: string, said: string]> {
  const released = await releasedImage(build, access);
  if (released !== undefined) return [released, `${released}, which was pushed already`];
  const ref = await buildImage(build, access.buildkit);
  return [ref, ref];
}

function sameItems(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}

import { parseReference } from '../registry/reference.ts';
import type { RegistryClient, StoredManifest } from '../registry/registry-client.ts';
import { RegistryError } from '../registry/registry-error.ts';

/** The manifests of an image, one for each platform, without what is attached to them. */
export function imageManifests({ digest, content }: Pick<StoredManifest, 'digest' | 'content'>): string[] {
  const attached = 'vnd.docker.reference.type';
  return (
    content.manifests?.filter(({ annotations }) => annotations?.[attached] === undefined).map((one) => one.digest) ?? [
      digest,
    ]
  );
}

/** What a registry has under a name; undefined where it has nothing. */
export async function pushedImage(
  client: Pick<RegistryClient, 'manifest'>,
  name: string,
): Promise<{ readonly digest: string; readonly manifests: readonly string[] } | undefined> {
  const reference = parseReference(name);
  if (reference === undefined) throw new RangeError(`${name} is not canonical`);
  try {
    const stored = await client.manifest(reference);
    return { digest: stored.digest, manifests: imageManifests(stored) };
  } catch (error) {
    if (error instanceof RegistryError && error.status === 404) return undefined;
    throw error;
  }
}

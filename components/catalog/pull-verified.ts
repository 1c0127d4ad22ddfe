import type { Problem } from '../../packages/lib/problem.ts';
import type { RegistryClient } from '../registry/registry-client.ts';
import { fingerprint, readPublicKey } from '../signatures/public-key.ts';
import { verifyImage } from '../signatures/verify.ts';
import type { Verified } from './catalog-source.ts';
import type { Catalog } from './fbc.ts';
import { pullCatalog } from './pull-catalog.ts';

/** A public key as text, and where it was given. */
export interface GivenKey extends Pick<Problem, 'object' | 'path'> {
  readonly text: string;
}

export interface VerifiedCatalog {
  readonly content: Catalog;
  /** Present if there was a key to verify with. */
  readonly verified?: Verified;
}

/**
 * Reads what a catalog image offers, once its signature is verified: of an image that somebody else has made, nothing is read before it is
 * known as theirs. The image has to be named by digest.
 */
export async function pullVerified(
  client: RegistryClient,
  image: string,
  given: GivenKey | undefined,
): Promise<VerifiedCatalog> {
  if (given === undefined) return { content: await pullCatalog(client, image) };
  const { text, ...where } = given;
  const key = readPublicKey(text, where);
  await verifyImage(client, image, key);
  const verified = { digest: image.slice(image.indexOf('@') + 1), key: fingerprint(key) };
  return { content: await pullCatalog(client, image), verified };
}

import { verify, type KeyObject } from 'node:crypto';
import { textAt } from '../../packages/lib/json.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { readBody } from '../registry/http.ts';
import { parseReference, type ImageReference } from '../registry/reference.ts';
import type { Descriptor, RegistryClient } from '../registry/registry-client.ts';
import { RegistryError } from '../registry/registry-error.ts';

/** What cosign calls a signature, beside the statement that it signs. */
const PAYLOAD_TYPE = 'application/vnd.dev.cosign.simplesigning.v1+json';
const SIGNATURE = 'dev.cosignproject.cosign/signature';
const STATEMENT_TYPE = 'cosign container image signature';

/** Where images and their signatures are: a registry, or an archive of images. */
export type Signed = Pick<RegistryClient, 'manifest' | 'blob'>;

/** Everybody who may push can add signatures. An image has few, and a statement is a few hundred bytes. */
const MAX_SIGNATURES = 50;
const MAX_PAYLOAD_BYTES = 64 * 1024;

/** The tag under which cosign keeps something of an image beside it: `sha256-<digest>.sig`, `.att` or `.sbom`. */
export function attachmentTag(digest: string, kind: 'sig' | 'att' | 'sbom'): string {
  return `${digest.replace(':', '-')}.${kind}`;
}

/** Refuses an image that the holder of the key has not signed. It has to be named by digest: a tag may move after the check. */
export async function verifyImage(client: Signed, image: string, key: KeyObject): Promise<void> {
  const reference = parseReference(image);
  if (reference?.digest === undefined) {
    const remedy = 'Write <repository>@sha256:<digest>: a signature is one of a digest.';
    throw refusal(image, { message: 'is not named by digest, so its signature says nothing about it', remedy });
  }
  const signatures = await signaturesOf(client, reference, reference.digest);
  const reasons = new Set<string>();
  for (const signature of signatures.slice(0, MAX_SIGNATURES)) {
    const reason = await whyNot(client, reference, signature, key);
    if (reason === undefined) return;
    reasons.add(reason);
  }
  const remedy = 'Do not use it before you know who made it, and whether the key is that of its maker.';
  const found = signatures.length === 0 ? 'has no signature' : 'has no signature of the key';
  const message = reasons.size === 0 ? found : `${found}: ${[...reasons].join('; ')}`;
  throw refusal(image, { message, remedy });
}

async function signaturesOf(client: Signed, reference: ImageReference, digest: string): Promise<readonly Descriptor[]> {
  const tag = attachmentTag(digest, 'sig');
  try {
    const { content } = await client.manifest({ host: reference.host, path: reference.path, tag });
    return content.layers ?? [];
  } catch (error) {
    if (error instanceof RegistryError && error.status === 404) return [];
    throw error;
  }
}

/** Why a signature does not count; undefined where it does. The signature comes first: nothing is read that is not signed. */
async function whyNot(
  client: Signed,
  reference: ImageReference,
  { mediaType, digest, size, annotations }: Descriptor,
  key: KeyObject,
): Promise<string | undefined> {
  const signature = annotations?.[SIGNATURE];
  if (mediaType !== PAYLOAD_TYPE || signature === undefined) return 'it is of a kind that is not known here';
  if (size > MAX_PAYLOAD_BYTES) return 'its statement is too long';
  const payload = await readBody(await client.blob(reference, { digest, size }));
  // Of a key for Ed25519 the algorithm is part.
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  if (!verify(algorithm, payload, key, Buffer.from(signature, 'base64')))
    return 'another key has signed, or what was signed was changed';
  const statement = readStatement(payload);
  if (textAt(statement, 'critical', 'type') !== STATEMENT_TYPE)
    return 'the key has signed something else than an image';
  const signed = textAt(statement, 'critical', 'image', 'docker-manifest-digest');
  return signed === reference.digest ? undefined : `the key has signed another image, ${signed}`;
}

function readStatement(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
}

function refusal(object: string, problem: Pick<Problem, 'message' | 'remedy'>): ProblemsError {
  return new ProblemsError([{ object, path: '', ...problem }]);
}

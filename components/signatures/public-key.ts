import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';

const PUBLIC_KEY = /^\s*-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/;

/** The kinds of keys that cosign signs with. */
const KINDS = ['ec', 'rsa', 'ed25519'];

/** Whether a text is the PEM of a public key, such as cosign.pub has it. Node would also take a private key for one. */
export function isPublicKey(text: string): boolean {
  if (!PUBLIC_KEY.test(text)) return false;
  try {
    return KINDS.includes(createPublicKey(text).asymmetricKeyType ?? '');
  } catch {
    return false;
  }
}

/** What a key is known by in a cluster: the digest of its bytes. */
export function fingerprint(key: KeyObject): string {
  return `sha256:${createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')}`;
}

/** Reads a public key. The text is not shown: it may be a private key by mistake. */
export function readPublicKey(text: string, where: Pick<Problem, 'object' | 'path'>): KeyObject {
  if (isPublicKey(text)) return createPublicKey(text);
  const message = 'is not a public key in PEM';
  const remedy = 'Use what cosign.pub holds; `cosign public-key --key cosign.key` prints it again.';
  throw new ProblemsError([{ ...where, message, remedy }]);
}

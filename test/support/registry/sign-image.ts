import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { attachmentTag } from '../../../components/signatures/verify.ts';
import { parseReference } from '../../../components/registry/reference.ts';
import { pushManifest, type PushOptions } from './push-image.ts';

/** A key pair of the kind that cosign makes. */
export interface TestKey {
  readonly publicPem: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export function testKey(): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { publicPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(), publicKey, privateKey };
}

/** What cosign signs. */
export function statementOf(digest: string, type = 'cosign container image signature'): string {
  const identity = { 'docker-reference': 'registry.example.com/signed' };
  return JSON.stringify({ critical: { identity, image: { 'docker-manifest-digest': digest }, type }, optional: null });
}

/** Signs an image, named by digest, as cosign does. */
export async function signAsCosign(
  image: string,
  { privateKey }: Pick<TestKey, 'privateKey'>,
  options: PushOptions & { readonly statement?: string } = {},
): Promise<void> {
  const { host, path, digest = '' } = parseReference(image) ?? { host: '', path: '' };
  const content = Buffer.from(options.statement ?? statementOf(digest));
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const annotations = { 'dev.cosignproject.cosign/signature': sign(algorithm, content, privateKey).toString('base64') };
  const layer = { type: 'application/vnd.dev.cosign.simplesigning.v1+json', content, annotations };
  const base = `${options.ca === undefined ? 'http' : 'https'}://${host}/v2/${path}`;
  await pushManifest(base, attachmentTag(digest, 'sig'), Buffer.from('{}'), [layer], options);
}

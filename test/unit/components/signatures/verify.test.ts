import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { isPublicKey, readPublicKey } from '../../../../components/signatures/public-key.ts';
import { verifyImage } from '../../../../components/signatures/verify.ts';
import { MemoryRegistry } from '../../../support/registry/memory-registry.ts';
import { pushImage } from '../../../support/registry/push-image.ts';
import { signAsCosign, statementOf, testKey } from '../../../support/registry/sign-image.ts';

describe('verifying the signature of an image', () => {
  let registry: MemoryRegistry;
  let client: RegistryClient;
  let image: string;
  const key = testKey();

  beforeEach(async () => {
    registry = await MemoryRegistry.start();
    client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
    const name = `${registry.host}/team/catalog`;
    image = `${name}@${await pushImage(`${name}:1`, { files: new Map([['configs/a', 'a']]), labels: {} })}`;
  });
  afterEach(async () => {
    client.close();
    await registry.stop();
  });

  it('accepts what the holder of the key has signed, whatever kind of key it is', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const pair of [key, rsa, generateKeyPairSync('ed25519')]) {
      await signAsCosign(image, pair);
      await verifyImage(client, image, pair.publicKey);
    }
  });

  it('refuses an image without a signature, and one that another key has signed', async () => {
    await assert.rejects(verifyImage(client, image, key.publicKey), {
      message: `${image}: has no signature. Do not use it before you know who made it, and whether the key is that of its maker.`,
    });
    await signAsCosign(image, testKey());
    await assert.rejects(
      verifyImage(client, image, key.publicKey),
      /has no signature of the key: another key has signed, or what was signed was changed/,
    );
  });

  it('refuses a signature of another image, and one of something that is not an image', async () => {
    const other = `sha256:${'0'.repeat(64)}`;
    await signAsCosign(image, { ...key }, { statement: statementOf(other) });
    await assert.rejects(verifyImage(client, image, key.publicKey), new RegExp(`has signed another image, ${other}`));
    await signAsCosign(image, key, { statement: statementOf(image.split('@')[1] ?? '', 'a letter') });
    await assert.rejects(verifyImage(client, image, key.publicKey), /has signed something else than an image/);
    await signAsCosign(image, key, { statement: 'not JSON' });
    await assert.rejects(verifyImage(client, image, key.publicKey), /has signed something else than an image/);
  });

  it('reads no statement that is long, and refuses a name without digest', async () => {
    await signAsCosign(image, key, { statement: 'x'.repeat(70_000) });
    registry.asked.length = 0;
    await assert.rejects(verifyImage(client, image, key.publicKey), /its statement is too long/);
    assert.ok(registry.asked.every((line) => !line.includes('/blobs/')));
    const tagged = image.replace(/@.*/, ':1');
    await assert.rejects(verifyImage(client, tagged, key.publicKey), /is not named by digest/);
  });

  it('does not take a registry that fails for one without signatures', async () => {
    registry.intercept = (request, response) => {
      if (request.url?.includes('.sig') !== true) return false;
      response.writeHead(500).end();
      return true;
    };
    await assert.rejects(verifyImage(client, image, key.publicKey), /cannot be pulled: 500/);
  });
});

describe('a public key', () => {
  it('is taken for one only if it is nothing else', () => {
    const { publicPem, privateKey } = testKey();
    const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    assert.ok(isPublicKey(publicPem));
    for (const text of ['', 'key', privatePem, `${privatePem}${publicPem}`, publicPem.replace(/[A-Z]/g, 'A')]) {
      assert.ok(!isPublicKey(text), text);
    }
    assert.throws(() => readPublicKey(privatePem, { path: 'catalog.verify' }), {
      message:
        'catalog.verify: is not a public key in PEM. Use what cosign.pub holds; `cosign public-key --key cosign.key` prints it again.',
    });
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicAuthorization } from '../../../../components/registry/credentials.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { readPublicKey } from '../../../../components/signatures/public-key.ts';
import { signImage, type SigningKey } from '../../../../components/signatures/sign.ts';
import { verifyImage } from '../../../../components/signatures/verify.ts';
import { CommandError, run } from '../../../../packages/lib/command.ts';
import { pushImage } from '../../../support/registry/push-image.ts';
import { RegistryServer } from '../../../support/registry/registry.ts';
import { signAsCosign, testKey } from '../../../support/registry/sign-image.ts';

const USER = { username: 'robot', password: 'secret' };
/** The password above, as bcrypt. */
const HTPASSWD = 'robot:$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW\n';
const CONTENT = { files: new Map([['configs/catalog.json', '{}']]), labels: {} };

/** The real cosign, and a real registry that serves TLS and asks for a user. */
describe('signatures of cosign', function () {
  this.timeout(60_000);
  let directory: string;
  let registry: RegistryServer;
  let client: RegistryClient;
  let options: { readonly authorization: string; readonly ca: string };
  let env: NodeJS.ProcessEnv;
  let key: SigningKey;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'cosign-'));
    registry = await RegistryServer.start({ tls: true, htpasswd: HTPASSWD });
    options = { authorization: basicAuthorization(USER), ca: registry.ca ?? '' };
    const auth = Buffer.from(`${USER.username}:${USER.password}`).toString('base64');
    writeFileSync(join(directory, 'config.json'), JSON.stringify({ auths: { [registry.host]: { auth } } }));
    writeFileSync(join(directory, 'ca.crt'), options.ca);
    env = { ...process.env, COSIGN_PASSWORD: 'open sesame', DOCKER_CONFIG: directory };
    await run('cosign', ['generate-key-pair'], { cwd: directory, env });
    key = { privateKey: join(directory, 'cosign.key'), publicKey: join(directory, 'cosign.pub') };
    client = new RegistryClient({ ca: options.ca, credentials: () => Promise.resolve(USER) });
  });
  after(async () => {
    client.close();
    await registry.stop();
    rmSync(directory, { recursive: true });
  });

  async function pushed(name: string): Promise<string> {
    const image = `${registry.host}/team/${name}`;
    return `${image}@${await pushImage(`${image}:1`, CONTENT, options)}`;
  }

  function cosignVerify(image: string, publicKey: string): Promise<string> {
    const words = [
      '--new-bundle-format=false',
      '--insecure-ignore-tlog=true',
      `--registry-cacert=${join(directory, 'ca.crt')}`,
    ];
    return run('cosign', ['verify', `--key=${publicKey}`, ...words, image], { env });
  }

  it('are made once, with an encrypted key and its password, and count for us as for cosign', async () => {
    const image = await pushed('signed');
    const sign = (): Promise<string> => signImage(image, key, { caFile: join(directory, 'ca.crt'), env });
    assert.equal(await sign(), 'signed');
    const tag = `${image.replace('@sha256:', ':sha256-')}.sig`;
    const manifest = await signatureManifest(tag);
    assert.equal(await sign(), 'was signed');
    assert.equal(await signatureManifest(tag), manifest);
    await verifyImage(client, image, readPublicKey(readFileSync(key.publicKey, 'utf8'), { path: 'key' }));
    assert.match(await cosignVerify(image, key.publicKey), /docker-manifest-digest/);
  });

  it('need the password', async () => {
    const image = await pushed('locked');
    const wrong = { ...env, COSIGN_PASSWORD: 'wrong horse' };
    await assert.rejects(signImage(image, key, { caFile: join(directory, 'ca.crt'), env: wrong }), (error: Error) => {
      assert.match(error.message, /COSIGN_PASSWORD: does not open the private key/);
      assert.doesNotMatch(error.message, /horse/);
      return true;
    });
    assert.ok(existsSync(key.privateKey));
  });

  it('are judged alike: what one refuses, the other refuses', async () => {
    const pair = testKey();
    const pub = join(directory, 'other.pub');
    writeFileSync(pub, pair.publicPem);
    const signed = await pushed('signed-by-us');
    await signAsCosign(signed, pair, options);
    await verifyImage(client, signed, pair.publicKey);
    await cosignVerify(signed, pub);

    const mine = readPublicKey(readFileSync(key.publicKey, 'utf8'), { path: 'key' });
    await assert.rejects(verifyImage(client, signed, mine), /has no signature of the key/);
    await assert.rejects(cosignVerify(signed, key.publicKey), CommandError);

    const other = await pushed('unsigned');
    await assert.rejects(verifyImage(client, other, mine), /has no signature/);
    await assert.rejects(cosignVerify(other, key.publicKey), CommandError);
    await signAsCosign(other, pair, { ...options, statement: statement(`sha256:${'0'.repeat(64)}`) });
    await assert.rejects(verifyImage(client, other, pair.publicKey), /has signed another image/);
    await assert.rejects(cosignVerify(other, pub), CommandError);
  });

  async function signatureManifest(tag: string): Promise<string> {
    const [name = '', word = ''] = tag.split(/:(?=sha256-)/);
    const [host = '', ...path] = name.split('/');
    return (await client.manifest({ host, path: path.join('/'), tag: word })).digest;
  }
});

function statement(digest: string): string {
  const image = { 'docker-manifest-digest': digest };
  return JSON.stringify({
    critical: { identity: {}, image, type: 'cosign container image signature' },
    optional: null,
  });
}

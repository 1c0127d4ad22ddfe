import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signImage } from '../../../../components/signatures/sign.ts';
import { StandIns } from '../../../support/machine/stand-ins.ts';
import { MemoryRegistry } from '../../../support/registry/memory-registry.ts';
import { pushImage } from '../../../support/registry/push-image.ts';
import { signAsCosign, testKey } from '../../../support/registry/sign-image.ts';

describe('signing an image', () => {
  let directory: string;
  let registry: MemoryRegistry;
  let image: string;
  let programs: StandIns | undefined;
  const key = testKey();
  const env = (): NodeJS.ProcessEnv => ({ ...process.env, COSIGN_PASSWORD: 'open sesame' });
  const files = (): { privateKey: string; publicKey: string } => ({
    privateKey: join(directory, 'cosign.key'),
    publicKey: join(directory, 'cosign.pub'),
  });

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sign-'));
    registry = await MemoryRegistry.start();
    writeFileSync(files().publicKey, key.publicPem);
    const name = `${registry.host}/team/catalog`;
    image = `${name}@${await pushImage(`${name}:1`, { files: new Map(), labels: {} })}`;
  });
  afterEach(async () => {
    programs?.remove();
    await registry.stop();
    rmSync(directory, { recursive: true });
  });

  it('is done by cosign, which is asked to log nothing and to write what every registry can keep', async () => {
    const seen = join(directory, 'seen');
    programs = new StandIns({ cosign: `echo "$@" > ${seen}; exit 0` });
    // The stand-in does not sign, and nobody is told that the image is signed.
    await assert.rejects(signImage(image, files(), { plainHttp: true, env: env() }), /has no signature/);
    const words = `sign --yes --key=${files().privateKey} --new-bundle-format=false --use-signing-config=false`;
    assert.equal(readFileSync(seen, 'utf8'), `${words} --tlog-upload=false --allow-http-registry ${image}\n`);
    const logged = signImage(image, files(), { plainHttp: true, env: env(), transparencyLog: true });
    await assert.rejects(logged, /has no signature/);
    assert.match(readFileSync(seen, 'utf8'), /--tlog-upload=true/);
  });

  it('changes nothing where the key has signed already', async () => {
    const seen = join(directory, 'seen');
    programs = new StandIns({ cosign: `touch ${seen}` });
    await signAsCosign(image, key);
    assert.equal(await signImage(image, files(), { plainHttp: true, env: env() }), 'was signed');
    assert.ok(!existsSync(seen));
  });

  it('does not sign where the registry does not say whether the key has signed already', async () => {
    const seen = join(directory, 'seen');
    programs = new StandIns({ cosign: `touch ${seen}` });
    await signAsCosign(image, key);
    let isBroken = false;
    registry.intercept = (request, response) => {
      if (request.url?.includes(isBroken ? '/blobs/' : '.sig') !== true) return false;
      if (isBroken) {
        response.writeHead(200, { 'content-length': 1000 }).write('{', () => response.destroy());
      } else response.writeHead(500).end();
      return true;
    };
    await assert.rejects(signImage(image, files(), { plainHttp: true, env: env() }), /cannot be pulled: 500/);
    isBroken = true;
    await assert.rejects(signImage(image, files(), { plainHttp: true, env: env() }), /aborted|closed|reset/i);
    assert.ok(!existsSync(seen));
  });

  it('never shows the password, and says what to do about each failure', async () => {
    const failures: readonly (readonly [script: string, expected: RegExp])[] = [
      ['echo "bad: open sesame" >&2; exit 1', /cosign: did not sign\. It said:\nbad: …$/],
      [
        'echo "reading key: decrypt: encrypted: decryption failed" >&2; exit 1',
        /COSIGN_PASSWORD: does not open the private key/,
      ],
    ];
    for (const [script, expected] of failures) {
      programs = new StandIns({ cosign: script });
      await assert.rejects(signImage(image, files(), { plainHttp: true, env: env() }), (error: Error) => {
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, /sesame/);
        return true;
      });
      programs.remove();
      programs = undefined;
    }
    const nowhere = { ...env(), PATH: directory };
    await assert.rejects(
      signImage(image, files(), { plainHttp: true, env: nowhere }),
      /cosign: is not on PATH\. Install cosign 3/,
    );
  });

  it('refuses a name without digest, a password that is not set, and a private key in place of the public one', async () => {
    const options = { plainHttp: true, env: env() };
    await assert.rejects(signImage(`${registry.host}/team/catalog:1`, files(), options), /is not named by digest/);
    await assert.rejects(
      signImage(image, files(), { env: {} }),
      /COSIGN_PASSWORD: is not set\. Set it to the password/,
    );
    writeFileSync(files().publicKey, key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await assert.rejects(signImage(image, files(), options), /is not a public key in PEM/);
    rmSync(files().publicKey);
    await assert.rejects(signImage(image, files(), options), /cosign\.pub: cannot be read: ENOENT/);
  });
});

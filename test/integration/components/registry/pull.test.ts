import assert from 'node:assert/strict';
import { pullBundle, pullBundles } from '../../../../components/catalog/pull-bundles.ts';
import { basicAuthorization } from '../../../../components/registry/credentials.ts';
import { byDigest, parseReference } from '../../../../components/registry/reference.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { pushImage } from '../../../support/registry/push-image.ts';
import { RegistryServer } from '../../../support/registry/registry.ts';
import { tinyBundleFiles } from '../../../support/olm/tiny-bundle.ts';

const LABELS = { 'operators.operatorframework.io.bundle.package.v1': 'tiny' };
const BUNDLE = { files: tinyBundleFiles({ version: '1.0.0' }), labels: LABELS };
const USER = { username: 'robot', password: 'secret' };
/** The password above, as bcrypt. */
const HTPASSWD = 'robot:$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW\n';

describe('pulling bundles from a registry', function () {
  this.timeout(60_000);

  it('gives the same bundle by tag and by digest, and the digest of the tag', async () => {
    const server = await RegistryServer.start();
    const client = new RegistryClient({ plainHttp: true });
    try {
      const name = `${server.host}/team/tiny:1.0.0`;
      const digest = await pushImage(name, BUNDLE);
      const reference = parseReference(name);
      assert.ok(reference);
      const byTag = await pullBundle(client, name);
      const pinned = await pullBundle(client, byDigest(reference, digest));
      assert.equal(byTag.digest, digest);
      assert.deepEqual(pinned.bundle.properties, byTag.bundle.properties);
      assert.equal(pinned.bundle.image, `${server.host}/team/tiny@${digest}`);
    } finally {
      client.close();
      await server.stop();
    }
  });

  it('names every image that cannot be pulled, and why', async () => {
    const server = await RegistryServer.start();
    const client = new RegistryClient({ plainHttp: true });
    try {
      await pushImage(`${server.host}/tiny:1.0.0`, BUNDLE);
      await assert.rejects(
        pullBundles(
          client,
          ['1.0.0', '1.0.1', '1.0.2'].map((tag) => `${server.host}/tiny:${tag}`),
        ),
        (error: Error) => {
          for (const tag of ['1.0.1', '1.0.2']) {
            const line = `${server.host}/tiny:${tag}: cannot be pulled: 404 MANIFEST_UNKNOWN manifest unknown. Check the name`;
            assert.ok(error.message.includes(line), error.message);
          }
          assert.ok(!error.message.includes('tiny:1.0.0'));
          return true;
        },
      );
    } finally {
      client.close();
      await server.stop();
    }
  });

  it('uses a user where the registry asks for one, and says what to do without', async () => {
    const server = await RegistryServer.start({ htpasswd: HTPASSWD });
    const name = `${server.host}/tiny:1.0.0`;
    const known = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(USER) });
    const unknown = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
    try {
      await pushImage(name, BUNDLE, { authorization: basicAuthorization(USER) });
      assert.equal((await pullBundle(known, name)).bundle.name, 'tiny.v1.0.0');
      await assert.rejects(pullBundle(unknown, name), {
        message:
          `${name}: cannot be pulled: the registry requires a login. ` +
          `Run docker login ${server.host}, or set DOCKER_CONFIG to a directory whose config.json has its user.`,
      });
    } finally {
      known.close();
      unknown.close();
      await server.stop();
    }
  });

  it('trusts an authority that it is given, and no other', async () => {
    const server = await RegistryServer.start({ tls: true });
    const trusting = new RegistryClient(server.ca === undefined ? {} : { ca: server.ca });
    const wary = new RegistryClient();
    try {
      const missing = `${server.host}/tiny:1.0.0`;
      await assert.rejects(pullBundle(trusting, missing), /cannot be pulled: 404 MANIFEST_UNKNOWN/);
      await assert.rejects(pullBundle(wary, missing), /cannot be pulled: .*(certificate|self-signed)/);
    } finally {
      trusting.close();
      wary.close();
      await server.stop();
    }
  });
});

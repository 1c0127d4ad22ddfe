import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as pulumi from '@pulumi/pulumi';
import { buildBundle } from '../../../components/bundle/bundle.ts';
import { bundleToFbc } from '../../../components/catalog/registry-v1.ts';
import { renderCatalog } from '../../../components/catalog/render.ts';
import { parseTemplate } from '../../../components/catalog/template.ts';
import { catalogImageContent } from '../../../components/images/catalog-content.ts';
import { basicAuthorization } from '../../../components/registry/credentials.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { program } from '../../../infra/program.ts';
import type { FleetOutputs } from '../../../infra/outputs.ts';
import { catalogIsSigned } from '../../../policies/rules/catalog-is-signed.ts';
import { OLM_MANIFEST } from '../../support/olm/olm-manifest.ts';
import { runProgram, type ProgramResult } from '../../support/pulumi/pulumi-program.ts';
import { pushImage } from '../../support/registry/push-image.ts';
import { violations, withChanges } from '../../support/policies/support.ts';
import { RegistryServer } from '../../support/registry/registry.ts';
import { signAsCosign, testKey, type TestKey } from '../../support/registry/sign-image.ts';

const USER = { username: 'robot', password: 'secret' };
/** The password above, as bcrypt. */
const HTPASSWD = 'robot:$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW\n';
const CONTROLLER = `registry.example/operator@sha256:${'a'.repeat(64)}`;
const BUILT = `sha256:${'d'.repeat(64)}`;
const CATALOG = 'kubernetes:olm.operatorframework.io/v1:ClusterCatalog';

function built({ type }: pulumi.runtime.MockResourceArgs): Readonly<Record<string, unknown>> {
  return type === 'docker-build:index:Image' ? { digest: BUILT } : {};
}

/** Released bundles and a catalog in a registry that serves TLS by an authority of its own and asks for a user. */
describe('an environment whose operators come from a private registry', function () {
  this.timeout(60_000);
  let directory: string;
  let registry: RegistryServer;
  let catalogDigest: string;
  const digests = new Map<string, string>();

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sources-'));
    registry = await RegistryServer.start({ tls: true, htpasswd: HTPASSWD });
    const options = { authorization: basicAuthorization(USER), ca: registry.ca ?? '' };
    await writeFile(join(directory, 'ca.crt'), options.ca);
    await writeFile(join(directory, 'olm.yaml'), OLM_MANIFEST);
    const bundles = ['1.0.0', '1.1.0'].map((version) => {
      const bundle = buildBundle({ version, crdVersion: 'v1beta1', controllerImage: CONTROLLER, created: new Date(0) });
      return { image: `${registry.host}/fleet/operator-bundle:${version}`, bundle };
    });
    for (const { image, bundle } of bundles) digests.set(image, await pushImage(image, bundle, options));
    const lines = bundles.map(({ image }) => `    - Image: ${image}`).join('\n');
    const text = `Schema: olm.semver\nGenerateMajorChannels: true\nStable:\n  Bundles:\n${lines}\n`;
    await writeFile(join(directory, 'template.yaml'), text);
    const content = renderCatalog({
      template: parseTemplate(text, 'template.yaml'),
      file: 'template.yaml',
      bundles: new Map(bundles.map(({ image, bundle }) => [image, bundleToFbc(image, bundle.files)])),
    });
    const name = `${registry.host}/fleet/operator-catalog:1`;
    catalogDigest = await pushImage(name, catalogImageContent(content), options);
  });

  after(async () => {
    await registry.stop();
    await rm(directory, { recursive: true });
  });

  async function preview(
    catalog: object,
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<ProgramResult & { readonly outputs: FleetOutputs }> {
    const auth = Buffer.from(`${USER.username}:${USER.password}`).toString('base64');
    const settings = {
      kubeconfig: join(directory, 'missing'),
      kubeContext: 'staging',
      registryCa: join(directory, 'ca.crt'),
      pullSecret: { auths: { [registry.host]: { auth } } },
      olm: { manifest: join(directory, 'olm.yaml') },
      images: { repository: `${registry.host}/fleet` },
      operators: [{ major: 1 }],
      catalog,
      ...changes,
    };
    const config = Object.entries(settings).map(([key, value]) => [
      `inference-stack-fleet:${key}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const silent = (): void => undefined;
    let outputs: FleetOutputs | undefined;
    const result = await runProgram(async () => {
      outputs = await program({
        environment: 'test',
        checkout,
        config: Object.fromEntries(config) as Record<string, string>,
        preview: true,
        now: new Date(0),
        log: { info: silent, warn: silent },
      });
    }, built);
    assert.ok(outputs);
    return { ...result, outputs };
  }

  function servedImage(result: ProgramResult): unknown {
    const { spec } = result.find(CATALOG, 'inference-stack-catalog').inputs as { spec: { source: { image: unknown } } };
    return spec.source.image;
  }

  it('reads a catalog image by tag, resolves its operators, and lets catalogd look for newer ones', async () => {
    const image = `${registry.host}/fleet/operator-catalog:1`;
    const result = await preview({ source: 'image', image, pollMinutes: 5 });
    assert.deepEqual(result.outputs.operators, { v1: '1.1.0 from stable-v1' });
    assert.deepEqual(servedImage(result), { ref: image, pollIntervalMinutes: 5 });
  });

  it('reads a catalog image by digest, which is never polled', async () => {
    const image = `${registry.host}/fleet/operator-catalog@${catalogDigest}`;
    const result = await preview({ source: 'image', image }, { requireDigests: 'true', olm: { mode: 'existing' } });
    assert.deepEqual(result.outputs.operators, { v1: '1.1.0 from stable-v1' });
    assert.deepEqual(servedImage(result), { ref: image });
  });

  it('builds a catalog of the bundles that the registry has, pinned by digest, and serves what it built', async () => {
    const result = await preview({ source: 'build', template: join(directory, 'template.yaml') });
    assert.deepEqual(result.outputs.operators, { v1: '1.1.0 from stable-v1' });
    assert.deepEqual(servedImage(result), { ref: `${registry.host}/fleet/operator-catalog@${BUILT}` });
    const { context } = result.find('docker-build:index:Image', 'catalog').inputs as { context: { location: string } };
    const path = join(context.location, 'configs', 'inference-stack-operator', 'catalog.json');
    const content = await readFile(path, 'utf8');
    for (const digest of digests.values())
      assert.ok(content.includes(`${registry.host}/fleet/operator-bundle@${digest}`));
  });

  describe('and that verifies the catalog', () => {
    const key = testKey();
    const verify = (): string => join(directory, 'cosign.pub');

    before(() => writeFile(verify(), key.publicPem));

    async function pushed(content: string, signer?: TestKey): Promise<string> {
      const options = { authorization: basicAuthorization(USER), ca: registry.ca ?? '' };
      const image = `${registry.host}/fleet/operator-catalog`;
      const files = new Map([['configs/inference-stack-operator/catalog.json', content]]);
      const ref = `${image}@${await pushImage(`${image}:verified`, { files, labels: {} }, options)}`;
      if (signer !== undefined) await signAsCosign(ref, signer, options);
      return ref;
    }

    function catalogResource(result: ProgramResult): object {
      return result.find(CATALOG, 'inference-stack-catalog').inputs;
    }

    it('takes one that the key has signed, and says so in the cluster, where the policy of production sees it', async () => {
      const image = `${registry.host}/fleet/operator-catalog@${catalogDigest}`;
      await signAsCosign(image, key, { authorization: basicAuthorization(USER), ca: registry.ca ?? '' });
      const result = await preview({ source: 'image', image, verify: verify() });
      assert.deepEqual(result.outputs.operators, { v1: '1.1.0 from stable-v1' });
      assert.deepEqual(violations(catalogIsSigned, [catalogResource(result)]), []);
    });

    it('refuses one that was changed, by its signature: another key has signed, or none', async () => {
      for (const signer of [undefined, testKey()]) {
        const image = await pushed(`{"changed": ${String(signer === undefined)}}`, signer);
        await assert.rejects(
          preview({ source: 'image', image, verify: verify() }),
          /operator-catalog@sha256:.*has no signature/,
        );
      }
    });

    it('refuses one whose bytes were changed in the registry, by its digest', async () => {
      const image = await pushed('{"genuine": true}', key);
      const file = registry.blobFile(image.split('@')[1] ?? '');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"schemaVersion":2', '"schemaVersion": 2'));
      await assert.rejects(preview({ source: 'image', image, verify: verify() }), /the registry answered with sha256:/);
    });

    it('refuses one that nobody verified, or that took the place of the verified one, by policy', async () => {
      const image = `${registry.host}/fleet/operator-catalog@${catalogDigest}`;
      const unverified = catalogResource(await preview({ source: 'image', image }));
      assert.match(
        violations(catalogIsSigned, [unverified]).join(),
        /should serve an image whose signature was verified/,
      );
      const verified = catalogResource(await preview({ source: 'image', image, verify: verify() }));
      const changed = withChanges(verified, [['spec', 'source', 'image', 'ref'], await pushed('{"changed": 2}')]);
      assert.match(violations(catalogIsSigned, [changed]).join(), /should serve the image that was verified/);
    });

    it('says which file is not a public key', async () => {
      const image = `${registry.host}/fleet/operator-catalog@${catalogDigest}`;
      const ca = join(directory, 'ca.crt');
      await assert.rejects(
        preview({ source: 'image', image, verify: ca }),
        /ca\.crt: catalog\.verify: is not a public key in PEM/,
      );
      await assert.rejects(
        preview({ source: 'image', image, verify: 'missing.pub' }),
        /catalog\.verify: cannot be read: ENOENT/,
      );
    });
  });

  it('says what to do when the registry requires a login that the environment does not have', async () => {
    const image = `${registry.host}/fleet/operator-catalog:1`;
    const anonymous = preview({ source: 'image', image }, { pullSecret: { auths: {} } });
    await assert.rejects(anonymous, /cannot be pulled: the registry requires a login\. Set pullSecret/);
  });
});

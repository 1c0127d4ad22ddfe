import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';
import { buildBundle } from '../../../components/bundle/bundle.ts';
import { parseLock } from '../../../components/catalog/lock.ts';
import { CommandError, run } from '../../../packages/lib/command.ts';
import { pushImage } from '../../support/registry/push-image.ts';
import { RegistryServer } from '../../support/registry/registry.ts';
import { tinyBundleFiles, type TinyBundle } from '../../support/olm/tiny-bundle.ts';

const PACKAGE = 'inference-stack-operator';
const TEMPLATE = 'catalog/operator_catalog.yaml';
const LOCK = 'catalog/catalog.lock.yaml';
const CONTROLLER = `registry.example.com/operator@sha256:${'a'.repeat(64)}`;

/** The commands as make runs them, in a folder with a catalog of its own, beside a real registry. */
describe('releasing to a registry', function () {
  this.timeout(120_000);
  let registry: RegistryServer;
  let folder: string;
  let bundles: string;
  let released: string;

  before(async () => {
    registry = await RegistryServer.start();
    bundles = `${registry.host}/fleet/operator-bundle`;
    folder = await mkdtemp(join(tmpdir(), 'release-'));
    await cp(join(checkout, 'catalog'), join(folder, 'catalog'), { recursive: true });
    await writeFile(join(folder, LOCK), `package: ${PACKAGE}\nversions: []\n`);
    await writeFile(join(folder, TEMPLATE), 'Schema: olm.semver\nGenerateMajorChannels: true\n');
  });
  after(async () => {
    await registry.stop();
    await rm(folder, { recursive: true });
  });

  /** No builder answers there: whatever would be built fails with another message than the one that is expected. */
  function fleet(...args: readonly string[]): Promise<string> {
    const env = { ...process.env, IMAGE_TAG_BASE: `${registry.host}/fleet/operator`, BUILDKIT_HOST: 'unix:///nowhere' };
    return run('node', [join(checkout, 'cli', 'fleet.mjs'), ...args], { cwd: folder, env });
  }

  async function state(): Promise<readonly string[]> {
    const answer = await fetch(`http://${registry.host}/v2/_catalog`);
    return Promise.all([answer.text(), readFile(join(folder, TEMPLATE), 'utf8'), readFile(join(folder, LOCK), 'utf8')]);
  }

  /** What a command says that has to fail, having changed neither the registry nor a file. */
  async function refused(...args: readonly string[]): Promise<string> {
    const before = await state();
    try {
      await fleet(...args);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      assert.deepEqual(await state(), before);
      return error.output.trimEnd();
    }
    return assert.fail(`fleet ${args.join(' ')} succeeded`);
  }

  async function pushBundle(version: string, created = new Date(0)): Promise<string> {
    const bundle = buildBundle({ version, crdVersion: 'v1alpha1', controllerImage: CONTROLLER, created });
    return pushImage(`${bundles}:${version}`, bundle);
  }

  async function pushOther(tag: string, bundle: TinyBundle): Promise<string> {
    const packageName = bundle.packageName ?? PACKAGE;
    const labels = { 'operators.operatorframework.io.bundle.package.v1': packageName };
    const image = `${registry.host}/fleet/other-bundle:${tag}`;
    await pushImage(image, { files: tinyBundleFiles({ ...bundle, packageName }), labels });
    return image;
  }

  async function withTemplate(change: (text: string) => string, work: () => Promise<void>): Promise<void> {
    const file = join(folder, TEMPLATE);
    const text = await readFile(file, 'utf8');
    await writeFile(file, change(text));
    try {
      await work();
    } finally {
      await writeFile(file, text);
    }
  }

  it('records what the registry has', async () => {
    released = await pushBundle('1.0.0');
    const said = await fleet('catalog', 'add', '--version', 'v1.0.0', '--channels', 'candidate', '--plain-http');
    assert.ok(said.startsWith(`${PACKAGE}.v1.0.0 is released to Candidate as ${released}.\n`), said);
    const [entry] = parseLock(await readFile(join(folder, LOCK), 'utf8'), LOCK).versions;
    assert.deepEqual([entry?.image, entry?.digest, entry?.streams], [`${bundles}:1.0.0`, released, ['Candidate']]);
    assert.equal(entry?.bundle.image, `${bundles}@${released}`);
  });

  it('promotes step by step, and renders without the registry', async () => {
    assert.match(await fleet('catalog', 'promote', '--version', 'v1.0.0'), /Fast/);
    assert.match(await fleet('catalog', 'promote', '--version', 'v1.0.0'), /Stable/);
    const rendered = await fleet('catalog', 'render', '-f', TEMPLATE, '--lock', LOCK, '-o', 'yaml');
    assert.ok(rendered.includes('name: stable-v1') && rendered.includes(`image: ${bundles}@${released}`), rendered);
  });

  it('writes a released bundle as it is in the registry, for a repository of community operators', async () => {
    const write = ['bundle', 'write', '--version', 'v1.0.0', '--community', '--plain-http'];
    const said = await fleet(...write);
    assert.equal(said, `Version 1.0.0 is in dist/community/operators/${PACKAGE}/1.0.0.\n`);
    const bundle = buildBundle({
      version: '1.0.0',
      crdVersion: 'v1alpha1',
      controllerImage: CONTROLLER,
      created: new Date(0),
    });
    const csv = `manifests/${PACKAGE}.clusterserviceversion.yaml`;
    const written = await readFile(join(folder, `dist/community/operators/${PACKAGE}/1.0.0`, csv), 'utf8');
    assert.equal(written, bundle.files.get(csv));
    assert.equal(
      await refused(...write, '--channels', 'fast-v1'),
      '--channels: changes nothing about a released bundle (got "fast-v1"). Leave it out, or name a controller with --controller-image.',
    );
    assert.equal(
      await refused('bundle', 'write', '--version', 'v1.0.9'),
      `${LOCK}: versions.1.0.9: is not released. Release it first, or name the pushed controller of this checkout with --controller-image.`,
    );
  });

  it('refuses a version twice', async () => {
    assert.equal(
      await refused('catalog', 'add', '--version', 'v1.0.0', '--plain-http'),
      `${TEMPLATE}: VERSION: version 1.0.0 is already released (got "${bundles}:1.0.0"). Release a new patch version instead.`,
    );
    assert.equal(
      await refused('bundle', 'push', '--version', 'v1.0.0'),
      `${LOCK}: versions.1.0.0: is already released, so nothing else may be pushed under its tag (got "${bundles}:1.0.0"). Release a new patch version instead.`,
    );
  });

  it('refuses a version that differs only in build metadata', async () => {
    const image = await pushOther('1.0.0_again', { version: '1.0.0+again' });
    assert.equal(
      await refused('catalog', 'add', '--image', image, '--plain-http'),
      `${TEMPLATE}: VERSION: version 1.0.0+again differs only in build metadata from the released 1.0.0 (got "${image}"). Release a new patch version instead.`,
    );
  });

  it('refuses a bundle of another package', async () => {
    const image = await pushOther('2.0.0', { version: '2.0.0', packageName: 'other' });
    assert.equal(
      await refused('catalog', 'add', '--image', image, '--plain-http'),
      `${TEMPLATE}: VERSION: belongs to package other, not to ${PACKAGE} (got "${image}")`,
    );
  });

  it('refuses a bundle that cannot be pulled', async () => {
    assert.equal(
      await refused('catalog', 'add', '--version', 'v3.0.0', '--plain-http'),
      `${bundles}:3.0.0: cannot be pulled: 404 MANIFEST_UNKNOWN manifest unknown. ` +
        'Check the name, that the image was pushed, and --plain-http or --ca for a registry of your own.',
    );
  });

  it('publishes no catalog with names that are not canonical', async () => {
    await withTemplate(
      (text) => text.replace(`${bundles}:1.0.0`, 'operator-bundle:1.0.0'),
      async () => {
        const said = await refused('catalog', 'push', '--plain-http');
        assert.match(said, /catalog\/operator_catalog\.yaml: .*Image: .*\(got "operator-bundle:1\.0\.0"\)/);
      },
    );
  });

  it('publishes no catalog that lacks a release', async () => {
    await withTemplate(
      () => 'Schema: olm.semver\nGenerateMajorChannels: true\n',
      async () => {
        const said = await refused('catalog', 'push', '--plain-http');
        assert.ok(
          said.includes(
            'version 1.0.0 was released to Stable and is no longer listed there, but clusters may rely on it',
          ),
          said,
        );
      },
    );
  });

  it('publishes no catalog when somebody has pushed over a release', async () => {
    const found = await pushBundle('1.0.0', new Date('2026-01-01'));
    assert.notEqual(found, released);
    assert.equal(
      await refused('catalog', 'push', '--plain-http'),
      `${LOCK}: versions.1.0.0: was released as ${released}, but the registry now has ${found} under that name (got "${bundles}:1.0.0"). ` +
        'Push the released image again under its tag, and give the new content a new version.',
    );
  });

  it('withdraws a version, which stays where it was, and leads to the one that is released next', async () => {
    const before = await state();
    const withdraw = ['catalog', 'withdraw', '--version', 'v1.0.0', '--reason', 'It loses requests'];
    const said = await fleet(...withdraw);
    assert.match(said, /Way out: no other version in candidate-v1, fast-v1, stable-v1\.\n/);
    assert.match(await fleet(...withdraw), /^v1\.0\.0 is withdrawn already, and nothing has changed\. /);
    assert.deepEqual(await state(), before);
    assert.match(
      await refused(...withdraw.slice(0, -1), 'Another reason'),
      /^catalog\/deprecations\.yaml: REASON: differs from the reason for which v1\.0\.0 is withdrawn already: /,
    );
    await pushBundle('1.1.0');
    const added = await fleet('catalog', 'add', '--version', 'v1.1.0', '--channels', 'candidate', '--plain-http');
    assert.match(added, /and catalog\/deprecations\.yaml, then run make catalog-build-push\.\n$/);
    const options = ['-f', TEMPLATE, '--lock', LOCK, '--deprecations', 'catalog/deprecations.yaml', '-o', 'yaml'];
    const rendered = await fleet('catalog', 'render', ...options);
    const way = 'upgrade to 1.1.0 (candidate-v1); no other version in fast-v1, stable-v1, while candidate-v1 has 1.1.0';
    assert.ok(rendered.includes(`Withdrawn: It loses requests. Way out: ${way}.`), rendered);
    assert.ok(rendered.includes(`image: ${bundles}@${released}`), rendered);
  });

  it('goes on to build once everything is right', async () => {
    await pushBundle('1.0.0');
    assert.match(await refused('catalog', 'push', '--plain-http'), /BuildKit cannot be reached/);
  });
});

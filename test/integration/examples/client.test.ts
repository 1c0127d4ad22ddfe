import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { main } from '../../../cli/main.ts';
import { catalogImageContent } from '../../../components/images/catalog-content.ts';
import { DEFAULT_OLM } from '../../../components/olm/versions.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { run } from '../../../packages/lib/command.ts';
import { isObject, objectsAt, textAt, valueAt } from '../../../packages/lib/json.ts';
import { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { sampleCatalog } from '../../support/olm/sample-catalog.ts';
import type { Settings } from '../../support/pulumi/environment-config.ts';
import { recordingIo } from '../../support/people/recording-io.ts';
import { installComponents, link } from '../../support/pulumi/packed-components.ts';
import { PulumiProject } from '../../support/pulumi/pulumi-project.ts';
import { pushImage } from '../../support/registry/push-image.ts';
import { signAsCosign, testKey, type TestKey } from '../../support/registry/sign-image.ts';
import { RegistryServer } from '../../support/registry/registry.ts';

const EXAMPLE = 'examples/client/Pulumi.example.yaml';
const PINNED = `registry.example/olm@sha256:${'a'.repeat(64)}`;

/** Both Pulumi programs of the example: the real Pulumi, an empty API server, and a registry with a release. */
describe('a release, consumed with Pulumi', function () {
  this.timeout(300_000);
  const directory = mkdtempSync(join(tmpdir(), 'client-program-'));
  let plane: ControlPlane;
  let registry: RegistryServer;
  let kubeconfig: string;
  let settings: Settings;
  let key: TestKey;

  before(async () => {
    await installComponents(directory);
    cpSync(join(checkout, 'examples/client/program/index.ts'), join(directory, 'index.ts'));
    plane = await ControlPlane.start();
    kubeconfig = await plane.kubeconfig();
    registry = await RegistryServer.start({ tls: true });
    const ca = registry.ca ?? '';
    writeFileSync(join(directory, 'ca.pem'), ca);
    const manifest = join(checkout, `.tools/share/olm-v${DEFAULT_OLM}.yaml`);
    const repository = `${registry.host}/fleet/operator-catalog`;
    const digest = await pushImage(`${repository}:3`, catalogImageContent(sampleCatalog(['3.0.0'])), { ca });
    key = testKey();
    await signAsCosign(`${repository}@${digest}`, key, { ca });
    writeFileSync(join(directory, 'cosign.pub'), key.publicPem);
    settings = {
      kubeContext: valueAt(yaml.load(readFileSync(kubeconfig, 'utf8')), 'current-context'),
      catalog: `${repository}@${digest}`,
      registryCa: ca,
      verify: key.publicPem,
      // The manifest as this checkout has it: a test asks nobody for it, and no registry for the digests of its images.
      olm: {
        version: DEFAULT_OLM,
        manifest,
        manifestSha256: createHash('sha256').update(readFileSync(manifest)).digest('hex'),
        images: { catalogd: PINNED, operatorController: PINNED },
      },
    };
  });
  after(async () => {
    rmSync(directory, { recursive: true });
    await registry.stop();
    await plane.stop();
  });

  /** What a preview would create, by its kind and name in Kubernetes. */
  async function preview(project: PulumiProject, changes: Settings): Promise<Readonly<Record<string, unknown>>> {
    try {
      await project.environment('client', EXAMPLE, changes);
      const args = ['preview', '--json', '--stack', 'client'];
      const { code, output } = await project.pulumi(args, { KUBECONFIG: kubeconfig });
      assert.equal(code, 0, output);
      const steps = objectsAt(JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)), 'steps');
      const states = steps.map(({ newState }) => newState).filter(isObject);
      assert.ok(states.every((state) => !textAt(state, 'type').startsWith('docker')));
      const objects = states.filter((state) => textAt(state, 'type').startsWith('kubernetes:'));
      return Object.fromEntries(
        objects.map(({ type, inputs }) => [`${String(type)} ${textAt(inputs, 'metadata', 'name')}`, inputs]),
      );
    } finally {
      project.remove();
    }
  }

  it('is the same by the program of this repository and by ten lines on the package of components', async () => {
    const image = { source: 'image', image: settings['catalog'], verify: join(directory, 'cosign.pub') };
    const own = { catalog: image, registryCa: join(directory, 'ca.pem'), verify: undefined };
    const [byFleet, byTenLines] = [
      await preview(new PulumiProject(), { ...settings, ...own }),
      await preview(new PulumiProject({}, directory), settings),
    ];
    assert.deepEqual(byTenLines, byFleet);
    const extension = 'kubernetes:olm.operatorframework.io/v1:ClusterExtension inference-stack-operator-v3';
    assert.ok(extension in byFleet, Object.keys(byFleet).join('\n'));
    assert.match(JSON.stringify(byFleet), /inference-stack-fleet\/verified-digest/);
  });

  it('is refused on each road if the holder of the key has not signed it', async () => {
    const stranger = testKey().publicPem;
    writeFileSync(join(directory, 'stranger.pub'), stranger);
    const image = { source: 'image', image: settings['catalog'], verify: join(directory, 'stranger.pub') };
    const own = { catalog: image, registryCa: join(directory, 'ca.pem'), verify: undefined };
    const refusal = /operator-catalog@.*has no signature of the key/;
    await assert.rejects(preview(new PulumiProject(), { ...settings, ...own }), refusal);
    await assert.rejects(preview(new PulumiProject({}, directory), { ...settings, verify: stranger }), refusal);
    const io = recordingIo({ ca: String(settings['registryCa']), key: key.publicPem, stranger });
    const print = (file: string): Promise<number> =>
      main(
        ['manifests', '--catalog-image', String(settings['catalog']), '--operator=3', '--ca=ca', '--verify', file],
        io,
      );
    assert.equal(await print('stranger'), 1);
    assert.match(io.stderr(), refusal);
    assert.equal(io.stdout(), '');
    assert.equal(await print('key'), 0, io.stderr());
    assert.match(io.stdout(), /inference-stack-fleet\/verified-digest: sha256:/);
  });

  it('compiles as ten lines, with the types of the package', async () => {
    link(directory, '@types/node');
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
    await run(join(checkout, 'node_modules/.bin/tsc'), [...options, 'index.ts'], { cwd: directory });
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../../../cli/main.ts';
import { processIo } from '../../../../cli/io.ts';
import { parseReference } from '../../../../components/registry/reference.ts';
import type { FleetOutputs } from '../../../../infra/outputs.ts';
import { program } from '../../../../infra/program.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { readYaml } from '../../../../packages/lib/read-yaml.ts';
import { publishFleet, type PublishedFleet } from '../../../support/registry/published-fleet.ts';
import { RegistryServer } from '../../../support/registry/registry.ts';
import { testKey } from '../../../support/registry/sign-image.ts';
import { committedSettings } from '../../../support/pulumi/environment-config.ts';
import { runProgram, type ProgramResult } from '../../../support/pulumi/pulumi-program.ts';

const DEPLOYMENT = 'kubernetes:apps/v1:Deployment';
const CATALOG = 'kubernetes:olm.operatorframework.io/v1:ClusterCatalog';

/** The program as `preview` runs it, with the registry of the site alone: the first one is gone once everything is copied. */
describe('an environment that uses copies', function () {
  this.timeout(60_000);
  let directory: string;
  let second: RegistryServer;
  let firstHost: string;
  let published: PublishedFleet;
  const key = testKey();

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'disconnected-'));
    const registries = await Promise.all([RegistryServer.start({ tls: true }), RegistryServer.start({ tls: true })]);
    const [first, site] = registries;
    second = site;
    firstHost = first.host;
    published = await publishFleet(first.host, key, 1000, { ca: first.ca ?? '' });
    writeFileSync(join(directory, 'cosign.pub'), key.publicPem);
    writeFileSync(join(directory, 'ca.crt'), registries.map(({ ca }) => ca).join(''));
    writeFileSync(join(directory, 'olm.yaml'), published.olmManifest);
    const archive = join(directory, 'fleet.tar');
    const common = [
      '--ca',
      join(directory, 'ca.crt'),
      '--verify',
      join(directory, 'cosign.pub'),
      '--out',
      join(directory, 'out'),
    ];
    const olm = ['--olm-version', '1.11.0', '--olm-manifest', join(directory, 'olm.yaml')];
    assert.equal(await mirror('--to', archive, '--catalog-image', published.catalog, ...olm, ...common), 0);
    await first.stop();
    assert.equal(await mirror('--from', archive, '--to', `${second.host}/site`, ...common), 0);
  });
  after(async () => {
    await second.stop();
    rmSync(directory, { recursive: true });
  });

  function mirror(...args: string[]): Promise<number> {
    const silent = (): void => undefined;
    return main(['mirror', ...args], { ...processIo, out: silent, err: silent });
  }

  /** The settings that were written, with what is the site's own, as the example has it. */
  async function previewed(): Promise<ProgramResult & { readonly outputs: FleetOutputs }> {
    const text = readFileSync(join(directory, 'out/Pulumi.mirror.yaml'), 'utf8');
    const { config } = readYaml(text, 'Pulumi.mirror.yaml') as { readonly config: Readonly<Record<string, unknown>> };
    const own = {
      kubeconfig: join(directory, 'missing'),
      kubeContext: 'disconnected',
      registryCa: join(directory, 'ca.crt'),
      operators: [{ major: 1 }],
    };
    const written = Object.entries(own).map(([name, value]) => [`inference-stack-fleet:${name}`, value] as const);
    const entries = [...Object.entries(config), ...written].map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const silent = (): void => undefined;
    const log = { info: silent, warn: silent };
    const settings = Object.fromEntries(entries) as Record<string, string>;
    let outputs: FleetOutputs | undefined;
    const result = await runProgram(async () => {
      outputs = await program({
        environment: 'test',
        checkout,
        config: settings,
        preview: true,
        now: new Date(0),
        log,
      });
    });
    assert.ok(outputs);
    return { ...result, outputs };
  }

  it('has every setting that the example has, and takes everything from the copies', async () => {
    const example = 'examples/disconnected/Pulumi.example.yaml';
    const text = readFileSync(join(directory, 'out/Pulumi.mirror.yaml'), 'utf8');
    for (const name of ['manifest', 'manifestSha256', 'images']) {
      assert.ok(name in committedSettings(example, 'olm') && text.includes(`${name}:`), name);
    }
    const result = await previewed();
    const { outputs, resources } = result;
    assert.deepEqual(outputs.operators, { v1: '1.0.0 from stable-v1' });
    const { spec } = result.find(CATALOG, 'inference-stack-catalog').inputs as {
      spec: { source: { image: { ref: string } } };
    };
    assert.equal(spec.source.image.ref, published.catalog.replace(firstHost, `${second.host}/site`));
    const images = resources.filter(({ type }) => type === DEPLOYMENT).map(({ inputs }) => JSON.stringify(inputs));
    assert.equal(images.length, 2);
    for (const text of images) {
      assert.match(text, new RegExp(`"image":"${second.host}/site/olm/[a-z-]+@sha256:`));
      assert.ok(!text.includes(firstHost));
    }
  });

  it('leads OLM to the copies of what the catalog names at the first registry', async () => {
    const { resources } = await previewed();
    const maps = resources
      .filter(({ type }) => type === 'kubernetes:core/v1:ConfigMap')
      .map(({ inputs }) => inputs['data']);
    const text = JSON.stringify(maps);
    for (const image of [published.bundle, published.operator]) {
      const { path = '' } = parseReference(image) ?? {};
      assert.ok(
        text.includes(`prefix = \\"${firstHost}/${path}\\"`) || text.includes(`prefix = \\\\"${firstHost}/${path}`),
        text,
      );
      assert.ok(text.includes(`${second.host}/site/${path}`), text);
    }
  });
});

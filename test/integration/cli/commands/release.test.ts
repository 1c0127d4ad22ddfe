import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLock } from '../../../../components/catalog/lock.ts';
import { writeContext } from '../../../../components/images/build-context.ts';
import { buildImage } from '../../../../components/images/build-image.ts';
import { pushedImage } from '../../../../components/images/image-manifests.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { readPublicKey } from '../../../../components/signatures/public-key.ts';
import { verifyImage } from '../../../../components/signatures/verify.ts';
import { CommandError, run } from '../../../../packages/lib/command.ts';
import { BuildKit } from '../../../support/registry/buildkit.ts';
import { pushImage } from '../../../support/registry/push-image.ts';
import { RegistryServer } from '../../../support/registry/registry.ts';
import { ReleasedClone } from '../../../support/registry/released-clone.ts';

const STEPS = 12;
const LOCK = 'catalog/catalog.lock.yaml';
const METRICS = 'packages/kube/process/metrics.ts';
const MINUTES = 60_000;

/** Everything that a release may change. */
interface State {
  readonly commit: string;
  readonly tags: string;
  readonly status: string;
  readonly images: Readonly<Record<string, string>>;
}

/** A whole life of releases, in a clone of this checkout, with a real registry, BuildKit and cosign. */
describe('releases of a clone', function () {
  this.timeout(20 * MINUTES);
  let directory: string;
  let registry: RegistryServer;
  let buildkit: BuildKit;
  let client: RegistryClient;
  let clone: ReleasedClone;
  let env: Readonly<Record<string, string>>;
  let base: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'release-'));
    registry = await RegistryServer.start();
    buildkit = await BuildKit.start(registry.host);
    client = new RegistryClient({ plainHttp: true });
    base = `${registry.host}/fleet/operator`;
    const files = new Map([
      ['Dockerfile', 'FROM scratch\nCOPY node /usr/local/bin/\n'],
      ['node', 'not a program'],
    ]);
    const context = writeContext(join(directory, 'base'), files);
    const reference = `${registry.host}/base/node:24`;
    const platforms = ['linux/amd64', 'linux/arm64'];
    await buildImage({ context, reference, platforms, sourceDateEpoch: 0 }, { address: buildkit.address });
    await run('cosign', ['generate-key-pair'], { cwd: directory, env: { ...process.env, COSIGN_PASSWORD: '' } });
    env = {
      IMAGE_TAG_BASE: base,
      BASE_IMAGE: `${registry.host}/base/node:24`,
      BUILDKIT_HOST: buildkit.address,
      SBOM: '0',
      PROVENANCE: '0',
      COSIGN_KEY: join(directory, 'cosign.key'),
      COSIGN_PASSWORD: '',
    };
    clone = await ReleasedClone.make(env);
  });
  after(async () => {
    client.close();
    await clone.remove();
    await buildkit.stop();
    await registry.stop();
    await rm(directory, { recursive: true });
  });

  const release = (version: string, ...more: readonly string[]): readonly string[] => [
    ...['release', '--version', version, '--plain-http'],
    ...more,
  ];

  async function refused(version: string, ...more: readonly string[]): Promise<string> {
    const before = await state();
    const said = await clone.fleet(...release(version, ...more)).then(
      () => assert.fail(`${version} was released`),
      (error: unknown) => (error instanceof CommandError ? error.output : assert.fail(String(error))),
    );
    assert.deepEqual(await state(), before, said);
    return said;
  }

  /** Tags of the registry and what they stand for. */
  async function tags(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of ['operator', 'operator-bundle', 'operator-catalog', 'operator-policies', 'operator-cli'].map(
      (one) => `fleet/${one}`,
    )) {
      const answer = await fetch(`http://${registry.host}/v2/${name}/tags/list`);
      const { tags: list } = answer.ok ? ((await answer.json()) as { tags: string[] | null }) : { tags: [] };
      for (const tag of list ?? []) {
        const image = `${registry.host}/${name}:${tag}`;
        found[`${name}:${tag}`] = (await pushedImage(client, image))?.digest ?? '';
      }
    }
    return found;
  }

  async function state(): Promise<State> {
    const commit = await clone.git('rev-parse', 'HEAD');
    return {
      commit,
      tags: await clone.git('tag', '--list'),
      status: await clone.git('status', '--porcelain'),
      images: await tags(),
    };
  }

  /** A signature is another one each time that it is made. */
  async function withoutSignatures(): Promise<object> {
    const { images, ...rest } = await state();
    return { ...rest, images: Object.entries(images).filter(([tag]) => !tag.endsWith('.sig')) };
  }

  async function digestOf(tag: string): Promise<string> {
    return (await tags())[tag] ?? assert.fail(`${tag} is not in the registry`);
  }

  async function assertSigned(...images: readonly string[]): Promise<void> {
    const key = readPublicKey(await readFile(join(directory, 'cosign.pub'), 'utf8'), { path: '' });
    for (const image of images) await verifyImage(client, image, key);
  }

  async function released(): Promise<readonly (readonly [version: string, streams: readonly string[]])[]> {
    return parseLock(await clone.read(LOCK), LOCK).versions.map(({ version, streams }) => [version, streams] as const);
  }

  it('says what is missing, and begins with 3.0.0', async () => {
    assert.match(await refused('v3.0.0', '--channel', 'beta'), /Use candidate, fast, stable\./);
    assert.match(await refused('v1.0.0'), /VERSION: is not the next version: 1\.x and 2\.x .* Release 3\.0\.0\./);
  });

  it('ends the same when it is killed at each step and run again', async () => {
    await clone.fleet(...release('v3.0.0'));
    const expected = await withoutSignatures();
    const other = clone;
    await forget();
    clone = await ReleasedClone.make(env);
    await other.remove();
    for (let step = 1; step <= STEPS; step += 1) {
      const start = `[${String(step).padStart(2)}/${String(STEPS)}] `;
      assert.ok(await clone.killedAt(start, ...release('v3.0.0')), `step ${String(step)} was not reached`);
    }
    await clone.fleet(...release('v3.0.0'));
    assert.deepEqual(await withoutSignatures(), expected);
    const [operator, bundle, catalog] = await Promise.all(
      ['', '-bundle', '-catalog'].map(
        async (kind) => `${base}${kind}@${await digestOf(`fleet/operator${kind}:3.0.0`)}`,
      ),
    );
    assert.ok(operator !== undefined && bundle !== undefined && catalog !== undefined);
    await assertSigned(operator, bundle, catalog);
    const notes = await clone.read('docs/releases/3.0.0.md');
    for (const image of [operator, bundle, catalog]) assert.ok(notes.includes(image), notes);
    assert.equal(await digestOf('fleet/operator-catalog:latest'), await digestOf('fleet/operator-catalog:3.0.0'));
  });

  /** Removes every tag of ours from the registry. */
  async function forget(): Promise<void> {
    for (const [tag, digest] of Object.entries(await tags())) {
      const name = tag.slice(0, tag.indexOf(':'));
      await fetch(`http://${registry.host}/v2/${name}/manifests/${digest}`, { method: 'DELETE' });
    }
    assert.deepEqual(await tags(), {});
  }

  it('changes nothing when it is run again', async () => {
    const before = await state();
    const said = await clone.fleet(...release('v3.0.0'));
    assert.deepEqual(await state(), before);
    assert.match(said, /which was pushed already/);
  });

  it('refuses a dirty tree, a skipped number and a tag of somebody else, before anything is pushed', async () => {
    await clone.write('catalog/draft.yaml', 'a: b\n');
    assert.match(
      await refused('v3.0.1'),
      /the checkout: catalog\/draft\.yaml: differs from the commit\. Commit them, /,
    );
    await clone.git('clean', '--quiet', '--force');
    await clone.git('tag', 'v3.0.1');
    assert.match(await refused('v3.0.1'), /tag v3\.0\.1: commit: exists in git, though no such release is recorded/);
    await clone.git('tag', '-d', 'v3.0.1');
    assert.match(await refused('v3.0.2'), /is not the next version .* Release 3\.0\.1, 3\.1\.0 or 4\.0\.0\./);
    await pushImage(`${base}:3.0.1`, { files: new Map([['a', 'b']]), labels: {} });
    const said = await refused('v3.0.1');
    assert.match(
      said,
      /operator:3\.0\.1: digest: exists in the registry with other content: this checkout makes sha256:/,
    );
  });

  it('skips a number whose bundle was pushed and never released', async () => {
    await pushImage(`${base}-bundle:3.0.1`, { files: new Map([['a', 'b']]), labels: {} });
    await clone.change('controller/src/operate.ts', "'The operator is running.'", "'The operator runs.'");
    await clone.fleet(...release('v3.0.2'));
    const notes = await clone.read('docs/releases/3.0.2.md');
    assert.match(notes, /Compared with 3\.0\.0, .*: nothing\. No pod restarts, and no object changes\./);
    assert.deepEqual(await released(), [
      ['3.0.0', ['Candidate']],
      ['3.0.2', ['Candidate']],
    ]);
  });

  it('refuses what a number may not have, and shows it', async () => {
    await clone.change(
      METRICS,
      "readonly #leader = this.#gauge('leader_election_master_status'",
      "readonly #more = this.#gauge('more', 'More.', []);\n  readonly #leader = this.#gauge('leader_election_master_status'",
    );
    const patch = await refused('v3.0.3');
    assert.match(patch, /addition: Metric more: is new\n/);
    assert.match(
      patch,
      /Metric more: is new, and 3\.0\.3 is a patch of 3\.0\.2, which adds nothing\. Release a new minor/,
    );
    await clone.fleet(...release('v3.1.0', '--channel', 'candidate'));
    await clone.change(METRICS, "'leader_election_master_status'", "'leader_election_status'");
    const minor = await refused('v3.2.0');
    assert.match(
      minor,
      /Metric leader_election_master_status: is gone, which breaks what 3\.1\.0 promises, and 3\.2\.0 is/,
    );
    const said = await clone.fleet(...release('v4.0.0'));
    assert.match(said, /breaking: Metric leader_election_master_status: is gone\n/);
    assert.match(
      await clone.read('docs/releases/4.0.0.md'),
      /### What breaks\n\n- Metric leader_election_master_status: is gone/,
    );
  });

  it('goes on after promotions and withdrawals, with provenance, and stays what was released', async () => {
    for (const stream of ['Fast', 'Stable'])
      assert.match(await clone.fleet('catalog', 'promote', '--version', 'v3.0.2'), new RegExp(stream));
    await clone.fleet('catalog', 'withdraw', '--version', 'v3.1.0', '--reason', 'It says more than it should');
    await clone.fleet('catalog', 'graph', '--write', 'docs/reference/upgrade-graph.md');
    await run(process.execPath, ['maintenance/generated.ts'], { cwd: clone.directory });
    await clone.commit('promote and withdraw');
    await clone.change('controller/src/operate.ts', "'The operator runs.'", "'The operator is up.'");
    clone.set('PROVENANCE', '1');
    await clone.fleet(...release('v4.0.1', '--channel', 'stable'));
    const before = await state();
    await clone.fleet(...release('v4.0.1', '--channel', 'stable'));
    assert.deepEqual(await state(), before);
    const index = await pushedImage(client, `${base}:4.0.1`);
    assert.equal(index?.manifests.length, 2, 'one for each platform');
    assert.deepEqual(await released(), [
      ['3.0.0', ['Candidate']],
      ['3.0.2', ['Candidate', 'Fast', 'Stable']],
      ['3.1.0', ['Candidate']],
      ['4.0.0', ['Candidate']],
      ['4.0.1', ['Stable']],
    ]);
    assert.equal(await clone.git('tag', '--list'), 'v3.0.0\nv3.0.2\nv3.1.0\nv4.0.0\nv4.0.1');
    await clone.fleet('catalog', 'check', '--base', 'v3.0.0', '--registry', '--plain-http');
    const deprecations = await clone.read('catalog/deprecations.yaml');
    assert.match(deprecations, /Withdrawn: It says more than it should\. Way out: /);
  });

  it('releases parts by themselves, each with numbers of its own, and changes nothing the second time', async () => {
    const parts = ['catalog', 'policies', 'cli'];
    for (const part of parts) {
      await clone.fleet(...release('v3.0.0', '--only', part));
      const before = await state();
      await clone.fleet(...release('v3.0.0', '--only', part));
      assert.deepEqual(await state(), before);
      assert.equal(await clone.git('rev-parse', `${part}/v3.0.0^{commit}`), before.commit);
    }
    const images = [
      'fleet/operator-catalog:catalog-3.0.0',
      'fleet/operator-policies:3.0.0',
      'fleet/operator-cli:3.0.0',
    ];
    const recorded = await clone.read('docs/releases/parts.yaml');
    const readme = await clone.read('README.md');
    for (const [index, name] of images.entries()) {
      const digest = (await pushedImage(client, `${registry.host}/${name}`))?.digest ?? assert.fail(name);
      const image = `${registry.host}/${name.replace(/:.*/, '')}@${digest}`;
      assert.ok(recorded.includes(`component: ${parts[index] ?? ''}\n  version: 3.0.0\n  image: ${image}\n`), recorded);
      await assertSigned(image);
    }
    for (const name of ['Catalog', 'Policy pack', 'Command line']) {
      assert.match(readme, new RegExp(`\\| ${name} +\\| 3\\.0\\.0 +\\| released by itself`));
    }
    assert.equal(
      await digestOf('fleet/operator-catalog:latest'),
      await digestOf('fleet/operator-catalog:catalog-3.0.0'),
    );
    assert.match(
      await refused('v3.0.2', '--only', 'policies'),
      /is not the next version .* Release 3\.0\.1, 3\.1\.0 or 4\.0\.0\./,
    );
  });

  it('releases the operator without a catalog, which follows by itself', async () => {
    const { images } = await state();
    await clone.fleet(...release('v4.0.2', '--only', 'controller'));
    const after = (await state()).images;
    assert.deepEqual(
      Object.keys(after).filter((tag) => images[tag] !== after[tag] && !tag.endsWith('.sig')),
      ['fleet/operator:4.0.2', 'fleet/operator-bundle:4.0.2'],
    );
    assert.deepEqual((await released()).at(-1), ['4.0.2', ['Candidate']]);
    await clone.fleet(...release('v3.0.1', '--only', 'catalog'));
    const latest = await digestOf('fleet/operator-catalog:latest');
    assert.equal(latest, await digestOf('fleet/operator-catalog:catalog-3.0.1'));
  });

  it('leaves a repository that keeps its own checks', async () => {
    const mocha = join(clone.directory, '..', 'node_modules', '.bin', 'mocha');
    const tests = [
      'test/unit/catalog/*.test.ts',
      'test/unit/docs/links.test.ts',
      'test/unit/docs/decisions.test.ts',
      'test/unit/maintenance/generated.test.ts',
    ];
    await run(mocha, ['--exit', ...tests], { cwd: clone.directory });
    await run(
      join(clone.directory, '..', 'node_modules', '.bin', 'prettier'),
      ['--check', '--log-level', 'warn', 'catalog', 'docs', 'README.md'],
      { cwd: clone.directory },
    );
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseLock } from '../../../components/catalog/lock.ts';
import { run } from '../../../packages/lib/command.ts';
import { Repository } from '../../support/github/repository.ts';
import { type Ended, type Given, Runner } from '../../support/github/runner.ts';
import { BuildKit } from '../../support/registry/buildkit.ts';
import { pushImage } from '../../support/registry/push-image.ts';
import { RegistryServer } from '../../support/registry/registry.ts';

/** For the machine's own platform, without a scanner, which could not be pulled. */
const BUILT = { IMAGE_PLATFORMS: 'linux/amd64', SBOM: '0', ARGS: '--plain-http' };

const PASSWORD = 'of the key';
const LOCK = 'catalog/catalog.lock.yaml';

/** The workflows as GitHub would run them, with a registry and a builder of their own. The tests tell one story and build on each other. */
describe('the workflows of a release', function () {
  this.timeout(300_000);
  let registry: RegistryServer;
  let buildkit: BuildKit;
  let repository: Repository;
  let runner: Runner;
  let base: string;
  let key: { readonly private: string; readonly public: string };

  before(async () => {
    registry = await RegistryServer.start();
    buildkit = await BuildKit.start(registry.host);
    repository = await Repository.create();
    runner = new Runner(repository);
    const image = `${registry.host}/fleet/base`;
    base = `${image}@${await pushImage(`${image}:1`, { files: new Map([['etc/base', 'a base']]), labels: {} })}`;
    const options = { cwd: repository.root, env: { ...process.env, COSIGN_PASSWORD: PASSWORD } };
    await run('cosign', ['generate-key-pair'], options);
    const read = (name: string): Promise<string> => readFile(join(repository.root, name), 'utf8');
    key = { private: await read('cosign.key'), public: await read('cosign.pub') };
  });
  after(async () => {
    repository.remove();
    await buildkit.stop();
    await registry.stop();
  });

  async function workflow(
    name: string,
    inputs: Readonly<Record<string, string>> = {},
    more: Given = {},
  ): Promise<Ended> {
    await repository.startOver();
    return runner.run(`${name}.yml`, {
      inputs,
      secrets: { REGISTRY_PASSWORD: 'open sesame', COSIGN_PRIVATE_KEY: key.private, COSIGN_PASSWORD: PASSWORD },
      vars: {
        COSIGN_PUBLIC_KEY: key.public,
        IMAGE_TAG_BASE: `${registry.host}/fleet/operator`,
        REGISTRY: registry.host,
        REGISTRY_USER: 'robot',
        PROGRAMS: 'built',
      },
      env: { BUILDKIT_HOST: buildkit.address, BASE_IMAGE: base, ...BUILT },
      ...more,
    });
  }

  async function tags(image: string): Promise<readonly string[]> {
    const answer = await fetch(`http://${registry.host}/v2/fleet/${image}/tags/list`);
    const { tags: names } = (await answer.json()) as { tags?: string[] | null };
    return [...(names ?? [])].sort();
  }

  async function released(branch: string): Promise<Readonly<Record<string, readonly string[]>>> {
    const { versions } = parseLock(await repository.file(branch, LOCK), LOCK);
    return Object.fromEntries(versions.map(({ version, streams }) => [version, streams]));
  }

  it('release: builds and pushes a version, and proposes its line in the catalog', async () => {
    const { succeeded, output } = await workflow('release', { version: 'v3.0.0', channel: 'candidate' });
    assert.ok(succeeded, output);
    for (const image of ['operator', 'operator-bundle', 'operator-catalog']) {
      const [signature, ...others] = (await tags(image)).toSorted((a, b) => b.length - a.length);
      assert.match(signature ?? '', /^sha256-[0-9a-f]{64}/, `${image} is signed`);
      assert.ok(others.includes('3.0.0'), others.join(' '));
    }
    assert.deepEqual(await released('release-v3.0.0'), { '3.0.0': ['Candidate'] });
    assert.deepEqual(await released('main'), {}, 'people merge it');
    const asked = runner.asked();
    assert.equal(asked[0], `docker login ${registry.host} --username robot --password-stdin`);
    assert.match(
      asked.at(-1) ?? '',
      /^gh pr create --head release-v3\.0\.0 --title feat\(catalog\): release v3\.0\.0 to candidate /,
    );
    assert.doesNotMatch(output + asked.join('\n'), /open sesame|of the key|PRIVATE KEY/);
  });

  it('release: is refused while its pull request is open, and leaves that alone', async () => {
    const { succeeded, output } = await workflow('release', { version: 'v3.0.0', channel: 'candidate' });
    assert.equal(succeeded, false);
    assert.match(output, /operator-catalog:3\.0\.0: digest: exists in the registry with other content/);
    assert.ok(runner.asked().every((call) => !call.startsWith('gh ')));
    assert.deepEqual(await released('release-v3.0.0'), { '3.0.0': ['Candidate'] });
  });

  it('publish: pushes the catalog that was merged, and tags the commit that released', async () => {
    await repository.merge('release-v3.0.0');
    for (const again of [false, true]) {
      const { succeeded, output } = await workflow('publish', {}, { event: 'push' });
      assert.ok(succeeded, output);
      assert.equal(/v3\.0\.0 is the tag of/.test(output), !again);
    }
    const message = await run('git', [
      '-C',
      repository.remote,
      'for-each-ref',
      '--format=%(contents:subject)',
      'refs/tags',
    ]);
    assert.equal(message, 'Release 3.0.0\n');
  });

  it('release: changes nothing for a version that is merged', async () => {
    runner.asked();
    const { succeeded, output } = await workflow('release', { version: 'v3.0.0', channel: 'candidate' });
    assert.ok(succeeded, output);
    assert.match(output, /Nothing has changed, so there is nothing to propose\./);
    assert.ok(runner.asked().every((call) => !call.startsWith('gh ')));
  });

  it('release: refuses what people should not type, before anything else', async () => {
    const { succeeded, output } = await workflow('release', {
      version: 'v3.0.1$(touch /nowhere)',
      channel: 'candidate',
    });
    assert.equal(succeeded, false);
    assert.match(output, /VERSION: is not a version/);
    assert.deepEqual(runner.asked(), []);
  });

  it('promote: proposes the next stream, and the next one after the merge', async () => {
    for (const streams of [
      ['Candidate', 'Fast'],
      ['Candidate', 'Fast', 'Stable'],
    ]) {
      const { succeeded, output } = await workflow('promote', { version: 'v3.0.0' });
      assert.ok(succeeded, output);
      assert.deepEqual(await released('promote-v3.0.0'), { '3.0.0': streams });
      await repository.merge('promote-v3.0.0');
    }
  });

  it('withdraw: proposes a deprecation with the reason as it was typed', async () => {
    const next = await workflow('release', { version: 'v3.0.1', channel: 'stable' });
    assert.ok(next.succeeded, next.output);
    await repository.merge('release-v3.0.1');
    const reason = 'It loses "$5" of $(HOME) in `requests`';
    const { succeeded, output } = await workflow('withdraw', { version: 'v3.0.0', reason });
    assert.ok(succeeded, output);
    const deprecations = await repository.file('withdraw-v3.0.0', 'catalog/deprecations.yaml');
    assert.ok(deprecations.replace(/\s+/g, ' ').includes(reason), deprecations);
    assert.match(deprecations, /upgrade to 3\.0\.1/);
    await repository.merge('withdraw-v3.0.0');
    const published = await workflow('publish', {}, { event: 'push' });
    assert.ok(published.succeeded, published.output);
  });

  it('publish: does nothing before somebody has said where releases are kept', async () => {
    runner.asked();
    const { succeeded } = await workflow('publish', {}, { event: 'push', vars: {} });
    assert.deepEqual([succeeded, runner.asked()], [true, []]);
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyAll } from '../../../../cli/mirror/copy-all.ts';
import { mirrorContents } from '../../../../cli/mirror/contents.ts';
import { mirrorFiles } from '../../../../cli/mirror/settings.ts';
import { main } from '../../../../cli/main.ts';
import type { ImageSource, ImageTarget } from '../../../../components/mirror/store.ts';
import { TarTarget } from '../../../../components/mirror/tar-target.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';
import { digestOf, MemoryRegistry } from '../../../support/registry/memory-registry.ts';
import { publishFleet } from '../../../support/registry/published-fleet.ts';
import { testKey } from '../../../support/registry/sign-image.ts';

const PLACE = { host: 'registry.example.com:5000', path: 'mirror' };
const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('what is mirrored', () => {
  it('is the catalog with all that it names, and the images of the chosen engines with the gateway', async () => {
    const registry = await MemoryRegistry.start();
    const client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
    try {
      const { catalog, bundle, operator } = await publishFleet(registry.host, testKey());
      const images = await mirrorContents(client, {
        catalog,
        olm: undefined,
        engines: ['llamacpp', 'vllm'],
        others: [bundle],
      });
      assert.deepEqual(images, [
        { name: catalog, role: 'catalog' },
        { name: bundle, role: 'bundle' },
        { name: operator, role: 'operator' },
        { name: 'ghcr.io/doublewordai/onwards:1.2.0', role: 'gateway' },
        { name: 'ghcr.io/ggml-org/llama.cpp:server-b11429', role: 'engine' },
        { name: 'ghcr.io/ggml-org/llama.cpp:server-cuda-b11429', role: 'engine' },
        { name: 'docker.io/vllm/vllm-openai:v0.32.0', role: 'engine' },
      ]);
    } finally {
      client.close();
      await registry.stop();
    }
  });

  it('never has two registries with one path, whose copies would be in one repository', async () => {
    const images = ['docker.io/a/b:1', 'quay.io/a/b:1'].map((name) => ({ name, role: 'other' as const }));
    const stores = { source: {} as ImageSource, target: {} as ImageTarget };
    const refused = copyAll(stores, images, { write: () => assert.fail('nothing is copied') });
    await assert.rejects(refused, /quay\.io\/a\/b: has the same path as an image of docker\.io/);
  });
});

describe('the settings that use copies', () => {
  const images = [
    { reference: { host: 'quay.io', path: 'olm/catalogd', tag: 'v1' }, digest: DIGEST, role: 'catalogd' as const },
    {
      reference: { host: 'docker.io', path: 'tytn/operator-catalog', digest: DIGEST },
      digest: DIGEST,
      role: 'catalog' as const,
    },
    {
      reference: { host: 'docker.io', path: 'tytn/operator-bundle', digest: DIGEST },
      digest: DIGEST,
      role: 'bundle' as const,
    },
    { reference: { host: 'ghcr.io', path: 'x/onwards', tag: '1' }, digest: DIGEST, role: 'gateway' as const },
  ];
  const files = mirrorFiles({
    place: PLACE,
    images,
    olm: undefined,
    folder: 'mirror',
    verify: undefined,
    plainHttp: false,
  });

  it('name what the program chooses by the copy, and lead elsewhere by mirrors', () => {
    assert.deepEqual(
      [...files.keys()],
      ['Pulumi.mirror.yaml', 'nodes/registries.conf', 'nodes/docker.io/hosts.toml', 'nodes/ghcr.io/hosts.toml'],
    );
    assert.match(
      files.get('Pulumi.mirror.yaml') ?? '',
      /image: registry\.example\.com:5000\/mirror\/tytn\/operator-catalog@sha256:a+\n/,
    );
    assert.match(files.get('nodes/registries.conf') ?? '', /prefix = "docker\.io\/tytn\/operator-bundle"\n/);
  });

  it('tell containerd where each registry has its copies', () => {
    const hosts = files.get('nodes/docker.io/hosts.toml') ?? '';
    assert.match(hosts, /^server = "https:\/\/registry-1\.docker\.io"\n/);
    assert.match(
      hosts,
      /\[host\."https:\/\/registry\.example\.com:5000\/v2\/mirror"\]\n.*"pull", "resolve".*\n {2}override_path = true/,
    );
  });
});

describe('fleet mirror', () => {
  const refusals: readonly (readonly [args: readonly string[], expected: RegExp])[] = [
    [['--to', 'registry.example.com'], /--catalog-image: is missing/],
    [['--to', 'nowhere', '--catalog-image', 'a'], /--to: is neither a registry nor an archive \(got "nowhere"\)/],
    [['--to', 'b.tar', '--from', 'a.tar'], /--to: is an archive, and so is --from/],
    [['--to', 'registry.example.com', '--from', 'missing.tar'], /missing\.tar: cannot be read: ENOENT/],
    [['--to', 'a.tar', '--catalog-image', 'a'], /is not a canonical image name/],
    [['--to', 'a.tar', '--catalog-image', 'a', '--ca', 'key.pem'], /key\.pem: --ca: holds no certificate in PEM/],
  ];
  for (const [args, expected] of refusals) {
    it(`refuses ${args.join(' ')}`, async () => {
      const io = recordingIo({ 'key.pem': testKey().publicPem });
      assert.equal(await main(['mirror', ...args], io), 1);
      assert.match(io.stderr(), expected);
    });
  }
});

describe('fleet mirror, from an archive', () => {
  const key = testKey();
  let directory: string;
  let archive: string;
  let registry: MemoryRegistry;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mirror-'));
    archive = join(directory, 'fleet.tar');
    registry = await MemoryRegistry.start();
  });
  afterEach(async () => {
    await registry.stop();
    rmSync(directory, { recursive: true });
  });

  /** Copies the archive, and returns what was said if that was refused. */
  async function copy(verify?: string): Promise<string | undefined> {
    const io = recordingIo(verify === undefined ? {} : { 'cosign.pub': verify });
    const to = ['--to', `${registry.host}/site`, '--plain-http', '--out', join(directory, 'out')];
    const args = ['mirror', '--from', archive, ...to, ...(verify === undefined ? [] : ['--verify', 'cosign.pub'])];
    return (await main(args, io)) === 0 ? undefined : io.stderr();
  }

  async function written(): Promise<void> {
    const first = await MemoryRegistry.start();
    try {
      const { catalog } = await publishFleet(first.host, key);
      const args = ['--to', archive, '--catalog-image', catalog, '--no-olm', '--plain-http'];
      assert.equal(await main(['mirror', ...args], recordingIo()), 0);
    } finally {
      await first.stop();
    }
  }

  async function writeArchive(role: string, extra: Readonly<Record<string, string>> = {}): Promise<void> {
    const bytes = Buffer.from('{"layers":[]}');
    const manifest = { digest: digestOf(bytes), bytes, content: {} };
    const image = { host: 'quay.io', path: 'team/image', tag: '1' };
    const target = await TarTarget.open(archive);
    await target.putManifest(image, manifest);
    target.name(image, manifest, role);
    await target.finish(new Map(Object.entries(extra)));
  }

  it('refuses a catalog that the key has not signed, before it copies anything', async () => {
    await written();
    assert.match((await copy(testKey().publicPem)) ?? '', /operator-catalog@sha256:\w+: has no signature of the key/);
    assert.equal(registry.manifests.size, 0);
    assert.equal(await copy(key.publicPem), undefined);
    assert.match(readFileSync(join(directory, 'out/Pulumi.mirror.yaml'), 'utf8'), /verify: cosign\.pub\n/);
  });

  it('leads nodes to the copies without TLS where the registry has none', async () => {
    await written();
    assert.equal(await copy(), undefined);
    const conf = readFileSync(join(directory, 'out/nodes/registries.conf'), 'utf8');
    const [, host = ''] = /prefix = "([^/]+)\//.exec(conf) ?? [];
    const hosts = readFileSync(join(directory, `out/nodes/${host}/hosts.toml`), 'utf8');
    assert.ok(hosts.includes(`[host."http://${registry.host}/v2/site"]`), hosts);
  });

  it('refuses one without a catalog, of which nothing would be used', async () => {
    await writeArchive('bundle');
    assert.match((await copy()) ?? '', /fleet\.tar: --from: has no catalog/);
    assert.ok(!existsSync(join(directory, 'out')));
  });

  it('writes nothing outside of its folder, whatever is in it', async () => {
    await writeArchive('catalog', { 'olm-v/../../Pulumi.prod.yaml': 'theirs', 'olm-v1.11.0-rc.1.yaml': 'kind: OLM' });
    assert.equal(await copy(), undefined);
    assert.ok(!existsSync(join(directory, 'Pulumi.prod.yaml')));
    assert.equal(readFileSync(join(directory, 'out/olm-v1.11.0-rc.1.yaml'), 'utf8'), 'kind: OLM');
  });
});

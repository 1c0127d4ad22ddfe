import assert from 'node:assert/strict';
import { copyAll } from '../../../../cli/mirror/copy-all.ts';
import { mirrorContents } from '../../../../cli/mirror/contents.ts';
import { mirrorFiles } from '../../../../cli/mirror/settings.ts';
import { main } from '../../../../cli/main.ts';
import type { ImageSource, ImageTarget } from '../../../../components/mirror/store.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';
import { MemoryRegistry } from '../../../support/registry/memory-registry.ts';
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
  const files = mirrorFiles({ place: PLACE, images, olm: undefined, folder: 'mirror', verify: undefined });

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
  ];
  for (const [args, expected] of refusals) {
    it(`refuses ${args.join(' ')}`, async () => {
      const io = recordingIo();
      assert.equal(await main(['mirror', ...args], io), 1);
      assert.match(io.stderr(), expected);
    });
  }
});

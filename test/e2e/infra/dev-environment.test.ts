import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mirroredImages } from '../../../cluster/mirror/mirror.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { OPERATOR_NAMESPACE } from '../../../packages/api/operator-names.ts';
import { parseReference } from '../../../components/registry/reference.ts';
import { RegistryClient } from '../../../components/registry/registry-client.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { TestFleet } from '../../support/embedded/fleet.ts';
import { cluster } from '../../support/embedded/shared-cluster.ts';

const MINUTES = 60_000;
const V3 = 'inference-stack-operator-v3';
const V4 = 'inference-stack-operator-v4';

/** The dev environment as a person runs it, in the cluster of the tests. The tests tell one story and build on each other. */
describe('the dev environment', function () {
  this.timeout(15 * MINUTES);
  const fleet = new TestFleet(cluster);
  after(() => {
    fleet.remove();
  });

  it('comes up from nothing with the pinned version of an example, and a real model answers', async () => {
    const output = await fleet.make(['up', 'CONFIG=examples/pinned-version/Pulumi.example.yaml']);
    assert.match(output, /v3: 3\.0\.0 \(fast-v3, new\)/);
    assert.match(output, /InferenceStack default\/chat is Ready\./);
    assert.match(output, /smollm2 answers: .*Paris.*\n +\(\d+ tokens, \d+\.\d tokens a second\)/);
    assert.deepEqual(await fleet.versions(), [`${V3} 3.0.0`]);
  });

  it('moves on to the newest versions of two majors, by the edges of the catalog, and restarts no pod', async () => {
    const before = await fleet.pods();
    const output = await fleet.make(['up']);
    assert.match(output, /v3: 3\.0\.0 -> 3\.1\.0 \(fast-v3, replaces it\)/);
    assert.deepEqual(await fleet.versions(), [`${V3} 3.1.0`, `${V4} 4.1.0`]);
    await eventually(async () => assert.equal(await fleet.servedBy('chat'), `${V3} 3.1.0`), MINUTES);
    assert.equal(await fleet.pods(), before);
  });

  it('changes nothing when it is brought up again, and restarts no pod', async () => {
    const before = await fleet.pods();
    const output = await fleet.make(['up']);
    assert.match(output, /Resources:\s+\d+ unchanged/);
    assert.doesNotMatch(output, /\d+ (created|updated|replaced|deleted)/);
    assert.equal(await fleet.pods(), before);
  });

  it('serves the stacks of each major by the operator of that major', async () => {
    for (const file of ['stack-v3.yaml', 'stack-v4.yaml']) await fleet.applyExample('two-majors', file);
    await eventually(async () => {
      assert.equal(await fleet.servedBy('side-by-side-v3'), `${V3} 3.1.0`);
      assert.equal(await fleet.servedBy('side-by-side-v4'), `${V4} 4.1.0`);
    }, 2 * MINUTES);
  });

  it('runs its operators from an image that is smaller than 60 MB and has no shell', async () => {
    const operators = ['-n', OPERATOR_NAMESPACE];
    const path = 'jsonpath={.items[0].metadata.name} {.items[0].spec.containers[0].image}';
    const pods = await cluster.kubectl([
      ...operators,
      'get',
      'pods',
      '-l',
      `app.kubernetes.io/instance=${V3}`,
      '-o',
      path,
    ]);
    const [pod = '', image = ''] = pods.split(' ');
    assert.ok((await compressedBytes(image)) < 60e6);
    await cluster.kubectl([...operators, 'exec', pod, '--', 'node', '--version']);
    const shell = cluster.kubectl([...operators, 'exec', pod, '--', 'sh', '-c', 'true']);
    await assert.rejects(shell, /"sh": executable file not found/);
  });

  it('reports that nothing needs attention', async () => {
    assert.doesNotMatch(await fleet.make(['status']), /Needs attention/);
  });

  it('hands a stack over to the next major without a pod restart', async () => {
    const before = await fleet.pods();
    await cluster.kubectl(['label', '--overwrite', 'inferencestack', 'side-by-side-v3', 'operatorVersion=v4']);
    await eventually(async () => assert.equal(await fleet.servedBy('side-by-side-v3'), `${V4} 4.1.0`), 2 * MINUTES);
    assert.equal(await fleet.pods(), before);
  });

  it('says of an image that is not in the registry that it was not found', async () => {
    const image = { repository: `${cluster.layout.registry}/demo-runtime`, tag: 'nope' };
    const stack = {
      apiVersion: 'models.titanml.co/v1beta1',
      kind: 'InferenceStack',
      metadata: { name: 'nope', labels: { operatorVersion: 'v3' } },
      spec: { gateway: { image } },
    };
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(stack));
    await eventually(async () => {
      const message = await cluster.kubectl(['get', 'istack', 'nope', '-o', 'jsonpath={.status.gateway.message}']);
      assert.ok(message.endsWith(`ErrImagePull: ${image.repository}:nope: not found`), message);
    }, MINUTES);
    await cluster.kubectl(['delete', 'istack', 'nope']);
  });

  it('refuses a stack of a major that nobody serves', async () => {
    const relabel = cluster.kubectl([
      'label',
      '--overwrite',
      'inferencestack',
      'side-by-side-v4',
      'operatorVersion=v9',
    ]);
    await assert.rejects(relabel, /asks for an operator of major 9 .* Operators of this cluster: v3, v4\./);
  });

  it('refuses a second operator of a major, whoever applies it', async () => {
    const second = {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: 'second-of-v3' },
      spec: {
        namespace: 'default',
        serviceAccount: { name: 'any' },
        source: {
          sourceType: 'Catalog',
          catalog: { packageName: 'inference-stack-operator', channels: ['stable-v3'] },
        },
      },
    };
    const apply = cluster.kubectl(['apply', '-f', '-'], JSON.stringify(second));
    await assert.rejects(apply, /must be named inference-stack-operator-v<major>/);
  });

  /** What has to be pulled of an image. */
  async function compressedBytes(image: string): Promise<number> {
    const reference = parseReference(image);
    assert.ok(reference);
    const client = new RegistryClient({ ca: readFileSync(cluster.environment.ca, 'utf8') });
    try {
      const { content } = await client.manifest(reference);
      assert.ok(content.layers, `${image} is an image of one platform`);
      return content.layers.reduce((bytes, { size }) => bytes + size, 0);
    } finally {
      client.close();
    }
  }

  /** The same fleet, from the catalog image that the first runs pushed, by its tag. */
  function following(operators: readonly object[]): string {
    return fleet.config('Pulumi.dev.yaml', {
      catalog: {
        name: 'inference-stack-catalog-dev',
        source: 'image',
        image: `${cluster.layout.registry}/operator-catalog:checkout`,
        pollMinutes: 1,
      },
      operators,
    });
  }

  it('gets a patch version that is released to its channel from OLM alone, and restarts no pod', async () => {
    await fleet.make([
      'up',
      `CONFIG=${following([
        { major: 3, channel: 'fast' },
        { major: 4, channel: 'fast' },
      ])}`,
    ]);
    assert.deepEqual(await fleet.versions(), [`${V3} 3.1.0`, `${V4} 4.1.0`]);
    const before = await fleet.pods();

    const template = readFileSync(join(checkout, 'catalog', 'operator_catalog_dev.yaml'), 'utf8');
    const patched = template.replace(/^( *- Image: .*):3\.1\.0$/m, '$&\n$1:3.1.1');
    await fleet.make(
      [
        'catalog-build-push',
        'DEV=1',
        'CATALOG_TAG=checkout',
        'CRD_VERSION=v1beta1',
        `TEMPLATE=${fleet.write('patched.yaml', patched)}`,
      ],
      {
        IMAGE_TAG_BASE: `${cluster.layout.registry}/operator`,
        BUILDKIT_HOST: cluster.environment.buildkit,
        BASE_IMAGE: mirroredImages(cluster.layout).node ?? '',
      },
    );
    await eventually(async () => assert.equal(await fleet.servedBy('chat'), `${V3} 3.1.1`), 3 * MINUTES, 500);
    assert.deepEqual(await fleet.versions(), [`${V3} 3.1.1`, `${V4} 4.1.0`]);
    assert.equal(await fleet.pods(), before);
  });

  it('goes back to an earlier version by one setting, and restarts no pod', async () => {
    const before = await fleet.pods();
    const back = [
      { major: 3, channel: 'fast', rollbackTo: '3.0.0' },
      { major: 4, channel: 'fast' },
    ];
    const output = await fleet.make(['up', `CONFIG=${following(back)}`]);
    assert.match(output, /v3: 3\.1\.1 -> 3\.0\.0 \(fast-v3, rollback, outside the upgrade graph\)/);
    assert.deepEqual(await fleet.versions(), [`${V3} 3.0.0`, `${V4} 4.1.0`]);
    await eventually(async () => assert.equal(await fleet.servedBy('chat'), `${V3} 3.0.0`), MINUTES);
    assert.equal(await fleet.pods(), before);
  });

  it('goes down, says what it leaves, and leaves the CRD with the stacks of the teams', async () => {
    const output = await fleet.make(['down']);
    const { kubeconfig, name } = cluster.layout;
    const kubectl = `kubectl --kubeconfig=${kubeconfig} --context=${name}`;
    assert.ok(output.includes(`  ${kubectl} delete crd inferencestacks.models.titanml.co\n`), output);
    assert.deepEqual(await fleet.versions(), []);
    const stacks = await cluster.kubectl(['get', 'inferencestacks', '-o', 'name']);
    assert.deepEqual(stacks.trim().split('\n').sort(), [
      'inferencestack.models.titanml.co/chat',
      'inferencestack.models.titanml.co/side-by-side-v3',
      'inferencestack.models.titanml.co/side-by-side-v4',
    ]);
  });
});

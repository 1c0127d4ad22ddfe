import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { embeddedCluster } from '../../cluster/embedded/environment.ts';
import { GROUP } from '../../controller/src/api/constants.ts';
import type { InferenceStackStatus } from '../../controller/src/api/status.ts';
import { Client } from '../../controller/src/runtime/client.ts';
import { loadConnection } from '../../controller/src/runtime/kubeconfig.ts';
import type { KubernetesObject, ResourceType } from '../../controller/src/runtime/object.ts';
import { eventually } from '../support/eventually.ts';

const STACKS: ResourceType = {
  group: GROUP,
  version: 'v1beta1',
  kind: 'InferenceStack',
  plural: 'inferencestacks',
  namespaced: true,
};
const PODS: ResourceType = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const EXTENSIONS: ResourceType = {
  group: 'olm.operatorframework.io',
  version: 'v1',
  kind: 'ClusterExtension',
  plural: 'clusterextensions',
  namespaced: false,
};
const MINUTES = 60_000;

/** Runs `make` as a person would, and gives back what it printed. */
function make(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('make', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  assert.equal(status, 0, `make ${args.join(' ')} failed:\n${stdout.slice(-4000)}\n${stderr.slice(-4000)}`);
  return stdout;
}

describe('a fleet in the embedded cluster', function () {
  this.timeout(20 * MINUTES);
  let client: Client;
  let registry: string;

  before(async () => {
    const printed = make('up');
    assert.match(printed, /InferenceStack default\/hello is Ready\.[\s\S]*"object":"chat\.completion"/);
    const cluster = embeddedCluster();
    assert.ok(cluster !== undefined);
    registry = cluster.registry;
    client = new Client(await loadConnection({ kubeconfig: cluster.kubeconfig, context: cluster.context }));
    for (const file of ['stack-v1', 'stack-v2']) await apply(`examples/two-majors/${file}.yaml`);
  });

  after(async () => {
    for (const name of ['side-by-side-v1', 'side-by-side-v2']) await client.delete(STACKS, ref(name));
    client.close();
  });

  const ref = (name: string): { namespace: string; name: string } => ({ namespace: 'default', name });

  async function apply(file: string): Promise<void> {
    const text = readFileSync(file, 'utf8').replaceAll('DEMO_RUNTIME_REPOSITORY', `${registry}/demo-runtime`);
    await client.apply(STACKS, yaml.load(text) as KubernetesObject, { fieldManager: 'e2e', force: true });
  }

  /** The operator that has claimed a stack, once the stack is ready. */
  async function servedBy(name: string): Promise<string | undefined> {
    const { status } = (await client.get(STACKS, ref(name))) as { status?: InferenceStackStatus };
    assert.equal(status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
    return status.claim?.operator.split('/').at(-1);
  }

  async function podsOf(stack: string): Promise<readonly string[]> {
    const pods = await client.listAll(PODS, { namespace: 'default' });
    const running = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return running
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith(stack))
      .sort();
  }

  it('changes nothing when it is brought up again', () => {
    assert.match(make('up'), /Resources:\s+\d+ unchanged\s/);
  });

  it('serves the stacks of each major by the operator of that major', async () => {
    await eventually(async () => {
      assert.equal(await servedBy('side-by-side-v1'), 'inference-stack-operator-v1');
      assert.equal(await servedBy('side-by-side-v2'), 'inference-stack-operator-v2');
    }, 2 * MINUTES);
  });

  it('hands a stack over to the next major without a pod restart', async () => {
    const before = await podsOf('side-by-side-v1');
    await client.mergePatch(STACKS, ref('side-by-side-v1'), { metadata: { labels: { operatorVersion: 'v2' } } });
    await eventually(async () => {
      assert.equal(await servedBy('side-by-side-v1'), 'inference-stack-operator-v2');
    }, 2 * MINUTES);
    assert.deepEqual(await podsOf('side-by-side-v1'), before);
  });

  it('refuses a stack of a major that nobody serves', async () => {
    const relabel = client.mergePatch(STACKS, ref('side-by-side-v2'), {
      metadata: { labels: { operatorVersion: 'v9' } },
    });
    await assert.rejects(relabel, /asks for an operator of major 9 .* Operators of this cluster: v1, v2\./);
  });

  it('refuses a second operator of a major, whoever applies it', async () => {
    const spec = {
      namespace: 'default',
      serviceAccount: { name: 'any' },
      source: { sourceType: 'Catalog', catalog: { packageName: 'inference-stack-operator', channels: ['stable-v1'] } },
    };
    const metadata = { name: 'second-of-v1' };
    const second = { apiVersion: 'olm.operatorframework.io/v1', kind: 'ClusterExtension', metadata, spec };
    await assert.rejects(client.create(EXTENSIONS, second), /must be named inference-stack-operator-v<major>/);
  });

  it('reports that nothing needs attention', () => {
    assert.doesNotMatch(make('status'), /Needs attention/);
  });
});

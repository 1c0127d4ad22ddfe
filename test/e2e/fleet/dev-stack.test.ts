import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../components/process/command.ts';
import { EXAMPLE_REGISTRY } from '../../../cli/demo/show-demo.ts';
import { checkout } from '../../../cluster/tools/places.ts';
import type { InferenceStackStatus } from '../../../controller/src/api/status.ts';
import { eventually } from '../../support/eventually.ts';
import { cluster } from '../support/shared-cluster.ts';

const MINUTES = 60_000;

interface Extension {
  readonly metadata: { readonly name: string };
  readonly status: { readonly install: { readonly bundle: { readonly version: string } } };
}

/** The dev stack as a person runs it, in the cluster of the tests. The tests tell one story and build on each other. */
describe('the dev stack', function () {
  this.timeout(15 * MINUTES);
  async function make(...args: readonly string[]): Promise<string> {
    return run('make', args, { cwd: checkout, env: cluster.env });
  }

  async function applyExample(name: string): Promise<void> {
    const text = readFileSync(join(checkout, 'examples', 'two-majors', `${name}.yaml`), 'utf8');
    await cluster.kubectl(['apply', '-f', '-'], text.replaceAll(EXAMPLE_REGISTRY, cluster.layout.registry));
  }

  /** The operator that has claimed a stack, once the stack is ready. */
  async function servedBy(name: string): Promise<string | undefined> {
    const text = await cluster.kubectl(['get', 'inferencestack', name, '-o', 'json']);
    const { status } = JSON.parse(text) as { status?: InferenceStackStatus };
    assert.equal(status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
    return status.claim?.operator.split('/').at(-1);
  }

  async function pods(): Promise<string> {
    const columns = 'jsonpath={range .items[*]}{.metadata.name} {.metadata.uid}{"\\n"}{end}';
    return cluster.kubectl(['get', 'pods', '--sort-by=.metadata.name', '-o', columns]);
  }

  it('comes up from nothing: OLM, catalog, an operator per major, and a stack that answers a chat completion', async () => {
    const output = await make('up');
    assert.match(output, /InferenceStack default\/hello is Ready\.[\s\S]*"object":\s*"chat\.completion"/);
    const text = await cluster.kubectl(['get', 'clusterextensions', '-o', 'json']);
    const { items } = JSON.parse(text) as { items: Extension[] };
    assert.deepEqual(
      items.map(({ metadata, status }) => `${metadata.name} ${status.install.bundle.version}`),
      ['inference-stack-operator-v1 1.1.0', 'inference-stack-operator-v2 2.1.0'],
    );
  });

  it('changes nothing when it is brought up again, and restarts no pod', async () => {
    const before = await pods();
    const output = await make('up');
    assert.match(output, /Resources:\s+\d+ unchanged/);
    assert.doesNotMatch(output, /\d+ (created|updated|replaced|deleted)/);
    assert.equal(await pods(), before);
  });

  it('serves the stacks of each major by the operator of that major', async () => {
    for (const example of ['stack-v1', 'stack-v2']) await applyExample(example);
    await eventually(async () => {
      assert.equal(await servedBy('side-by-side-v1'), 'inference-stack-operator-v1');
      assert.equal(await servedBy('side-by-side-v2'), 'inference-stack-operator-v2');
    }, 2 * MINUTES);
  });

  it('reports that nothing needs attention', async () => {
    assert.doesNotMatch(await make('status'), /Needs attention/);
  });

  it('hands a stack over to the next major without a pod restart', async () => {
    const before = await pods();
    await cluster.kubectl(['label', '--overwrite', 'inferencestack', 'side-by-side-v1', 'operatorVersion=v2']);
    await eventually(async () => {
      assert.equal(await servedBy('side-by-side-v1'), 'inference-stack-operator-v2');
    }, 2 * MINUTES);
    assert.equal(await pods(), before);
  });

  it('refuses a stack of a major that nobody serves', async () => {
    const relabel = cluster.kubectl([
      'label',
      '--overwrite',
      'inferencestack',
      'side-by-side-v2',
      'operatorVersion=v9',
    ]);
    await assert.rejects(relabel, /asks for an operator of major 9 .* Operators of this cluster: v1, v2\./);
  });

  it('refuses a second operator of a major, whoever applies it', async () => {
    const second = {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: 'second-of-v1' },
      spec: {
        namespace: 'default',
        serviceAccount: { name: 'any' },
        source: {
          sourceType: 'Catalog',
          catalog: { packageName: 'inference-stack-operator', channels: ['stable-v1'] },
        },
      },
    };
    const apply = cluster.kubectl(['apply', '-f', '-'], JSON.stringify(second));
    await assert.rejects(apply, /must be named inference-stack-operator-v<major>/);
  });

  it('goes down, says what it leaves, and leaves the CRD with the stacks of the teams', async () => {
    const output = await make('down');
    assert.match(output, /CRD/);
    const extensions = await cluster.kubectl(['get', 'clusterextensions', '-o', 'name']);
    assert.equal(extensions, '');
    const stacks = await cluster.kubectl(['get', 'inferencestacks', '-o', 'name']);
    assert.deepEqual(stacks.trim().split('\n').sort(), [
      'inferencestack.models.titanml.co/hello',
      'inferencestack.models.titanml.co/side-by-side-v1',
      'inferencestack.models.titanml.co/side-by-side-v2',
    ]);
  });
});

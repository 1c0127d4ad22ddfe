import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../cluster/tools/command.ts';
import { checkout } from '../../../cluster/tools/places.ts';
import { eventually } from '../../support/eventually.ts';
import { cluster } from '../support/shared-cluster.ts';

interface Extension {
  readonly metadata: { readonly name: string };
  readonly status: { readonly install: { readonly bundle: { readonly version: string } } };
}

interface Stack {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The dev stack as `make up` runs it, in the cluster of the tests. */
describe('the dev stack', function () {
  this.timeout(600_000);
  const state = mkdtempSync(join(tmpdir(), 'fleet-pulumi-'));
  const env = { ...cluster.env, XDG_STATE_HOME: state };

  async function fleet(...args: string[]): Promise<string> {
    return run('node', ['cli/fleet.mjs', ...args], { cwd: checkout, env });
  }

  async function pods(): Promise<string> {
    const columns = 'jsonpath={range .items[*]}{.metadata.name}{" "}{.metadata.uid}{"\\n"}{end}';
    return cluster.kubectl(['get', 'pods', '--namespace=default', '-o', columns]);
  }

  after(() => rmSync(state, { recursive: true, force: true }));

  it('comes up from nothing: OLM, catalog, an operator per major, and a stack that answers a chat completion', async () => {
    const output = await fleet('up', '--stack', 'dev');
    assert.match(output, /InferenceStack default\/hello is Ready/);
    assert.match(output, /"object":\s*"chat\.completion"/);
    const { items } = JSON.parse(await cluster.kubectl(['get', 'clusterextensions', '-o', 'json'])) as {
      items: Extension[];
    };
    assert.deepEqual(
      items.map(({ metadata, status }) => `${metadata.name} ${status.install.bundle.version}`),
      ['inference-stack-operator-v1 1.1.0', 'inference-stack-operator-v2 2.1.0'],
    );
  });

  it('changes nothing when it is run again, and restarts no pod', async () => {
    const before = await pods();
    const output = await fleet('up', '--stack', 'dev');
    assert.match(output, /Resources:\s+\d+ unchanged/);
    assert.doesNotMatch(output, /\d+ (created|updated|replaced|deleted)/);
    assert.equal(await pods(), before);
  });

  it('refuses a second operator of a major also to kubectl', async () => {
    const extension = {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: 'second-v2' },
      spec: {
        namespace: 'inference-stack-operator-system',
        serviceAccount: { name: 'default' },
        source: {
          sourceType: 'Catalog',
          catalog: { packageName: 'inference-stack-operator', channels: ['stable-v2'] },
        },
      },
    };
    await assert.rejects(
      cluster.kubectl(['apply', '-f', '-'], JSON.stringify(extension)),
      /denied request.*inference-stack-operator-v/s,
    );
  });

  it('goes down, and leaves the CRD and the stacks of the teams', async () => {
    await fleet('down', '--stack', 'dev');
    const extensions = await cluster.kubectl(['get', 'clusterextensions', '-o', 'name', '--ignore-not-found']);
    assert.equal(extensions, '');
    await eventually(async () => {
      const stack = JSON.parse(await cluster.kubectl(['get', 'inferencestack', 'hello', '-o', 'json'])) as Stack;
      assert.ok(stack.status?.conditions);
    });
  });
});

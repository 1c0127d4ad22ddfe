import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mirroredImages } from '../../../../cluster/mirror/mirror.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { CommandError, run } from '../../../../packages/lib/command.ts';
import { counts } from '../../../support/embedded/counts.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestFleet } from '../../../support/embedded/fleet.ts';
import { Load } from '../../../support/embedded/load.ts';
import { Models } from '../../../support/embedded/models.ts';
import { cluster } from '../../../support/embedded/shared-cluster.ts';

const MINUTES = 60_000;
const V3 = 'inference-stack-operator-v3';
const V4 = 'inference-stack-operator-v4';
const INSTALLERS = [`${V3}-installer`, `${V4}-installer`];
const MANIFEST = '.tools/share/olm-v{version}.yaml';
const CONTROL_PLANE = { 'kubernetes.io/os': 'linux', 'node-role.kubernetes.io/control-plane': '' };
const ANYWHERE = 'but no node of the cluster fits, so OLM runs on any node.';

/**
 * OLM's own upgrade in the cluster of the tests, from the oldest version that is supported. The tests tell one story and build on
 * each other. 1.11.0 cannot be built here: its CRDs and its manifest are applied, and the programs that run are those of 1.10.0.
 */
describe('the upgrade of OLM', function () {
  this.timeout(15 * MINUTES);
  const fleet = new TestFleet(cluster);
  const models = new Models(cluster);
  let load: Load | undefined;

  before(async () => {
    await run('node', [join(checkout, 'cluster', 'mirror', 'main.ts'), '--oldest-olm'], { env: cluster.env });
  });
  // The tests after this one install 1.10.0. Without a controller there is nothing to go back from.
  after(async () => {
    await load?.end();
    await cluster.labelControlPlane(false);
    await fleet.make(['down']);
    fleet.remove();
  });

  const config = (olm: object): string =>
    `CONFIG=${fleet.config('Pulumi.dev.yaml', { olm: { manifest: MANIFEST, ...olm } })}`;

  const oldest = (): object => {
    const images = mirroredImages(cluster.layout);
    const { 'catalogd-1.5': catalogd, 'operator-controller-1.5': operatorController } = images;
    return { version: '1.5.1', images: { catalogd, operatorController } };
  };

  const newest = (): object => {
    const { catalogd, 'operator-controller': operatorController } = mirroredImages(cluster.layout);
    return { version: '1.11.0', images: { catalogd, operatorController } };
  };

  async function serviceAccounts(): Promise<readonly string[]> {
    const path = 'jsonpath={range .items[*]}{.spec.serviceAccount.name}{"\\n"}{end}';
    return (await cluster.kubectl(['get', 'clusterextensions', '-o', path])).trim().split('\n');
  }

  /** Runs a command while a client asks the stack ten times a second; no question fails, and no pod of a stack is another after. */
  async function undisturbed(work: () => Promise<string>): Promise<string> {
    const before = await fleet.pods();
    load = new Load(await models.url('hello', 'default'), 'primary', 10);
    const output = await work();
    const { asked, failures } = await load.end();
    assert.deepEqual(failures, []);
    assert.ok(asked > 50, `${asked} questions`);
    assert.equal(await fleet.pods(), before);
    return output;
  }

  it('begins with 1.5.1, and a stack that answers', async () => {
    const output = await fleet.make(['up', config(oldest())]);
    assert.match(output, /InferenceStack default\/chat is Ready\./);
    // What is asked ten times a second is the stand-in: a real model would need the processors that the upgrade needs.
    await fleet.applyExample('single-major', 'stack.yaml');
    await eventually(() => fleet.servedBy('hello'), MINUTES);
    assert.doesNotMatch(output, /control-plane/);
    assert.equal(await fleet.olmNodeSelector(), undefined);
  });

  it('leads to 1.10.0 on a node of the control plane, without a failure and without a restart of a stack’s pod', async () => {
    await cluster.labelControlPlane(true);
    const preview = await fleet.make(['preview']);
    assert.doesNotMatch(preview, /error:|replace/);
    const output = await undisturbed(() => fleet.make(['up']));
    assert.doesNotMatch(output, /replaced/);
    assert.deepEqual(counts(output), counts(preview));
    assert.deepEqual(await fleet.olmNodeSelector(), CONTROL_PLANE);
    assert.deepEqual(await fleet.versions(), [`${V3} 3.1.0`, `${V4} 4.1.0`]);
    assert.deepEqual(await serviceAccounts(), INSTALLERS);
  });

  it('is over after one run', async () => {
    assert.doesNotMatch(await fleet.make(['up']), /\d+ (created|updated|replaced|deleted)/);
  });

  it('runs on any node, and says so, once no node is labelled as control plane', async () => {
    await cluster.labelControlPlane(false);
    assert.ok((await fleet.make(['preview'])).includes(ANYWHERE));
    const output = await undisturbed(() => fleet.make(['up']));
    assert.ok(output.includes(ANYWHERE), output);
    assert.deepEqual(await fleet.olmNodeSelector(), { 'kubernetes.io/os': 'linux' });
  });

  it('does not lead back to 1.5.1, and says why', async () => {
    for (const command of ['preview', 'up']) {
      await assert.rejects(fleet.make([command, config(oldest())]), (error: unknown) => {
        assert.ok(error instanceof CommandError);
        assert.match(error.output, /olm\.version: would go back from OLM 1\.10\.0, which has run in this cluster/);
        return true;
      });
    }
  });

  it('to 1.11.0 is shown whole by a preview, although the CRD that is there would refuse the extensions', async () => {
    const output = await fleet.make(['preview', config(newest()), 'ARGS=--diff']);
    assert.match(output, /- serviceAccount: \{/);
    for (const installer of INSTALLERS)
      assert.match(output, new RegExp(`ServiceAccount: \\(delete\\)[^]*${installer}`));
    assert.match(output, /clusterextension-serviceaccount-deprecated/);
  });

  it('to the CRDs and the manifest of 1.11.0 leaves the operators that 1.10.0 installed as they are', async () => {
    const onlyOlm = 'ARGS=--target **inference-stack-fleet:olm:OlmV1**';
    await undisturbed(() => fleet.make(['up', config(newest()), onlyOlm]));
    const required = 'jsonpath={.spec.versions[0].schema.openAPIV3Schema.properties.spec.required}';
    const crd = ['get', 'crd', 'clusterextensions.olm.operatorframework.io', '-o', required];
    assert.equal(await cluster.kubectl(crd), '["namespace","source"]');
    assert.deepEqual(await fleet.versions(), [`${V3} 3.1.0`, `${V4} 4.1.0`]);
    assert.deepEqual(await serviceAccounts(), INSTALLERS);
  });
});

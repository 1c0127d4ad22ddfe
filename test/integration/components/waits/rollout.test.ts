import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { isRolledOut } from '../../../../components/waits/rollout.ts';
import { deploymentsOf } from '../../../../components/waits/target.ts';
import { NODES } from '../../../../packages/kube/resource-types.ts';
import { createGpuNode } from '../../../support/kubernetes/cluster-objects.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { FakeKubelet } from '../../../support/kubernetes/fake-kubelet.ts';
import { startControllers, startScheduler } from '../../../support/kubernetes/kube-programs.ts';
import type { Program } from '../../../support/machine/program.ts';
import { PulumiProject, type Outcome } from '../../../support/pulumi/pulumi-project.ts';
import { createNamespace } from '../../../support/operator/stack-api.ts';

const NAMES = ['first', 'second', 'third', 'fourth'];

/** The real Pulumi and its real provider. The tests tell one story and build on each other. */
describe('Deployments that Pulumi waits for', function () {
  this.timeout(180_000);
  let plane: ControlPlane;
  let programs: Program[];
  let project: PulumiProject;
  let kubelet: FakeKubelet;

  before(async () => {
    plane = await ControlPlane.start();
    await createNamespace(plane.client, 'waits');
    programs = [
      await startControllers(plane, ['deployment-controller', 'replicaset-controller', 'garbage-collector-controller']),
      await startScheduler(plane),
    ];
    await createGpuNode(plane.client, 'n1', 'H100', 2);
    kubelet = new FakeKubelet(plane.client, 'waits');
    const env = { FLEET_TEST_KUBECONFIG: await plane.kubeconfig() };
    project = new PulumiProject(env, join(checkout, 'test/integration/components/waits/program'));
    await project.environment('waits', 'Pulumi.dev.yaml');
  });
  after(async () => {
    project.remove();
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await plane.stop();
  });

  async function up(selector: object, timeout = '1m'): Promise<Outcome> {
    const env = { FLEET_TEST_SELECTOR: JSON.stringify(selector), FLEET_TEST_TIMEOUT: timeout };
    return project.pulumi(['up', '--yes', '--skip-preview', '--stack', 'waits'], env);
  }

  /** Plays the kubelet until Pulumi has ended. */
  async function played(outcome: Promise<Outcome>): Promise<Outcome> {
    let ended = false;
    const end = outcome.finally(() => (ended = true));
    await eventually(async () => {
      await kubelet.startAll('waited-for');
      await kubelet.finishAll();
      assert.ok(ended);
    }, 120_000);
    return end;
  }

  async function rolledOut(): Promise<readonly boolean[]> {
    const found = await Promise.all(NAMES.map((name) => deploymentsOf({ name, namespace: 'waits' }, plane.client)));
    return found.flat().map(isRolledOut);
  }

  it('are complete when their pods are ready', async () => {
    const { code, output } = await played(up({}));
    assert.equal(code, 0, output);
    assert.deepEqual(await rolledOut(), [true, true, true, true]);
  });

  it('are not complete after an update as long as the new pods are pending, although the old ones serve', async () => {
    const { code, output } = await played(up({ pool: 'new' }, '15s'));
    assert.notEqual(code, 0, output);
    for (const name of NAMES) assert.match(output, new RegExp(`Deployment ${name} \\*?\\*?updating failed`), output);
    assert.deepEqual(await rolledOut(), [false, false, false, false]);
  });

  it('are waited for again by the next update, which is over when somebody has mended what was in the way', async () => {
    const again = up({ pool: 'new' });
    await plane.client.mergePatch(NODES, { name: 'n1' }, { metadata: { labels: { pool: 'new' } } });
    const { code, output } = await played(again);
    assert.equal(code, 0, output);
    assert.deepEqual(await rolledOut(), [true, true, true, true]);
  });
});

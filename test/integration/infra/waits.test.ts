import assert from 'node:assert/strict';
import { EMBEDDED_OLM } from '../../../components/olm/versions.ts';
import { NODES } from '../../../packages/kube/resource-types.ts';
import { createGpuNode } from '../../support/kubernetes/cluster-objects.ts';
import { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { FakeKubelet } from '../../support/kubernetes/fake-kubelet.ts';
import { startControllers, startScheduler } from '../../support/kubernetes/kube-programs.ts';
import type { Program } from '../../support/machine/program.ts';
import { PulumiProject, type Outcome } from '../../support/pulumi/pulumi-project.ts';

/** The committed program, the real Pulumi and its provider, beside a real scheduler. Kubelets are played. */
describe('the program, while OLM finds no node', function () {
  this.timeout(240_000);
  let plane: ControlPlane;
  let programs: Program[];
  const project = new PulumiProject();

  before(async () => {
    plane = await ControlPlane.start();
    programs = [
      await startControllers(plane, ['deployment-controller', 'replicaset-controller', 'garbage-collector-controller']),
      await startScheduler(plane),
    ];
    await createGpuNode(plane.client, 'n1', 'H100', 2);
    // OLM's manifest asks for what every kubelet says of its node.
    await label({ 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' });
    await project.environment('waits', 'Pulumi.dev.yaml', {
      cluster: 'kubeconfig',
      kubeconfig: await plane.kubeconfig(),
      kubeContext: 'test',
      olm: { version: EMBEDDED_OLM, manifest: '.tools/share/olm-v{version}.yaml', nodeSelector: { pool: 'olm' } },
      images: { repository: 'registry.example', base: 'registry.example/node:24' },
      operators: [],
      demo: false,
    });
  });
  after(async () => {
    project.remove();
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await plane.stop();
  });

  async function label(labels: Readonly<Record<string, string>>): Promise<void> {
    await plane.client.mergePatch(NODES, { name: 'n1' }, { metadata: { labels } });
  }

  it('says which label is missing and what to do, and ends well when a node gets it', async () => {
    let printed = '';
    let outcome: Outcome | undefined;
    const args = ['up', '--yes', '--skip-preview', '--suppress-progress', '--stack', 'waits'];
    const up = project.pulumi(args, {}, (text) => (printed += text)).then((ended) => (outcome = ended));
    await eventually(() => {
      const said = printed.includes('lacks the label pool=olm. Change a node, or `olm.nodeSelector`');
      assert.ok(said || outcome !== undefined, printed);
    }, 120_000);
    assert.equal(outcome, undefined, printed);

    await label({ pool: 'olm' });
    const kubelet = new FakeKubelet(plane.client, 'olmv1-system');
    await eventually(async () => {
      await kubelet.startAll();
      assert.ok(outcome, printed);
    }, 60_000);
    const { code, output } = await up;
    assert.equal(code, 0, output);
    const [said = ''] = /warning: Deployment .*/.exec(output.slice(output.indexOf('Diagnostics:'))) ?? [];
    assert.match(
      said,
      /^warning: Deployment olmv1-system\/[a-z-]+: Pod [a-z0-9-]+ cannot be scheduled: 1 node lacks the label pool=olm\. /,
    );
  });
});

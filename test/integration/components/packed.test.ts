import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRolledOut } from '../../../components/waits/rollout.ts';
import { deploymentsOf } from '../../../components/waits/target.ts';
import { NODES } from '../../../packages/kube/resource-types.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { run } from '../../../packages/lib/command.ts';
import { createGpuNode } from '../../support/kubernetes/cluster-objects.ts';
import { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { FakeKubelet } from '../../support/kubernetes/fake-kubelet.ts';
import { startControllers, startScheduler } from '../../support/kubernetes/kube-programs.ts';
import { eventually } from '../../support/machine/eventually.ts';
import type { Program } from '../../support/machine/program.ts';
import { STACKS } from '../../support/operator/stack-api.ts';
import { stackWith } from '../../support/people/stacks.ts';
import { installComponents, link } from '../../support/pulumi/packed-components.ts';
import { PulumiProject, type Outcome } from '../../support/pulumi/pulumi-project.ts';

const README = 'components/README.md';
const HOW_TO = 'docs/how-to/use-the-components.md';

/** The programs that a page shows. */
function programsOf(page: string): readonly string[] {
  const text = readFileSync(join(checkout, page), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program);
}

/** The real package, the real Pulumi and its provider, and the programs that the documentation shows. */
describe('the packed components, in an empty project', function () {
  this.timeout(600_000);
  const directory = mkdtempSync(join(tmpdir(), 'empty-project-'));
  const [bringUp = ''] = programsOf(README);
  const [twoClusters = '', operators = ''] = programsOf(HOW_TO);
  let planes: readonly ControlPlane[];
  let programs: Program[];
  let project: PulumiProject;

  before(async () => {
    await installComponents(directory);
    planes = [await ControlPlane.start(), await ControlPlane.start()];
    const [plane, other] = planes;
    assert.ok(plane && other);
    programs = [
      await startControllers(plane, ['deployment-controller', 'replicaset-controller', 'garbage-collector-controller']),
      await startScheduler(plane),
      // Without it nothing that Pulumi deletes is ever gone.
      await startControllers(other, ['garbage-collector-controller']),
    ];
    await createGpuNode(plane.client, 'n1', 'H100', 2);
    // OLM's manifest asks for what every kubelet says of its node. As in a managed cluster, none is of the control plane.
    const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' };
    await plane.client.mergePatch(NODES, { name: 'n1' }, { metadata: { labels } });
    project = new PulumiProject({}, directory);
  });
  after(async () => {
    project.remove();
    rmSync(directory, { recursive: true });
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await Promise.all(planes.map((plane) => plane.stop()));
  });

  async function up(name: string, program: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
    writeFileSync(join(directory, 'index.ts'), program);
    await project.environment(name, 'Pulumi.prod.yaml');
    return project.pulumi(['up', '--yes', '--skip-preview', '--stack', name], env);
  }

  /** The API server takes a moment to learn of a policy. */
  async function refusesUnlabelledStacks(client: Client): Promise<void> {
    const stack = stackWith({}, 'chat', 'default');
    await eventually(async () => {
      const created = client.create(STACKS, { ...stack, metadata: { name: 'chat', namespace: 'default' } });
      await assert.rejects(created, /has no label operatorVersion, so no operator would serve it/);
    }, 30_000);
  }

  it('serve two clusters by one program', async () => {
    for (const [index, name] of ['east', 'west'].entries()) {
      const kubeconfig = (await planes[index]?.kubeconfig()) ?? '';
      writeFileSync(join(directory, name), readFileSync(kubeconfig));
    }
    const { code, output } = await up('two', twoClusters, { KUBECONFIGS: directory });
    assert.equal(code, 0, output);
    for (const { client } of planes) await refusesUnlabelledStacks(client);
    const removed = await project.pulumi(['destroy', '--yes', '--skip-preview', '--stack', 'two']);
    assert.equal(removed.code, 0, removed.output);
  });

  it('bring up OLM, the API and the guards', async () => {
    const [plane] = planes;
    assert.ok(plane);
    // The released manifest as this checkout has it: a test asks nobody for it.
    const program = bringUp.replace('fleet.OLM_RELEASES', `'${join(checkout, '.tools/share/olm-v{version}.yaml')}'`);
    assert.notEqual(program, bringUp);
    const kubelet = new FakeKubelet(plane.client, 'olmv1-system');
    let ended: Outcome | undefined;
    const outcome = up('one', program, { KUBECONFIG: await plane.kubeconfig() }).then((result) => (ended = result));
    await eventually(async () => {
      await kubelet.startAll();
      assert.ok(ended);
    }, 180_000);
    const { code, output } = await outcome;
    assert.equal(code, 0, output);
    const found = await Promise.all(
      ['catalogd-controller-manager', 'operator-controller-controller-manager'].map((name) =>
        deploymentsOf({ name, namespace: 'olmv1-system' }, plane.client),
      ),
    );
    assert.deepEqual(found.flat().map(isRolledOut), [true, true]);
    await refusesUnlabelledStacks(plane.client);
  });

  it('have types, with which the programs of the documentation compile and mistakes do not', async () => {
    link(directory, '@types/node');
    const wrong = bringUp.replace("action: 'deny'", "action: 'refuse'");
    const files = { 'a.ts': bringUp, 'b.ts': twoClusters, 'c.ts': operators, 'wrong.ts': wrong };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
    const compile = async (...names: string[]): Promise<string> =>
      run(join(checkout, 'node_modules/.bin/tsc'), [...options, ...names], { cwd: directory });
    await compile('a.ts', 'b.ts', 'c.ts');
    await assert.rejects(compile('wrong.ts'), /Type '"refuse"' is not assignable to type 'GuardAction'/);
  });
});

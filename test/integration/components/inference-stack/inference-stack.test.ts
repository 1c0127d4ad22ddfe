import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import type { InferenceStackArgs } from '../../../../components/inference-stack/args.ts';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { createGpuNode } from '../../../support/kubernetes/cluster-objects.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { FakeKubelet } from '../../../support/kubernetes/fake-kubelet.ts';
import { startControllers, startScheduler } from '../../../support/kubernetes/kube-programs.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import type { Program } from '../../../support/machine/program.ts';
import { OperatorProcess } from '../../../support/operator/operator-process.ts';
import { getStack, newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { PulumiProject, type Outcome } from '../../../support/pulumi/pulumi-project.ts';

const SPEC: InferenceStackSpec = { applications: { chat: { readerConfig: { modelName: 'mistral' } } } };

function declare(spec = SPEC, changes: Partial<InferenceStackArgs> = {}): InferenceStackArgs {
  return { metadata: { namespace: 'team-a' }, operatorVersion: 'v1', spec, ...changes };
}

/** The real Pulumi, its real provider, the real operator and API server. The tests tell one story and build on each other. */
describe('InferenceStacks of a Pulumi program', function () {
  this.timeout(240_000);
  let plane: ControlPlane;
  let programs: Program[];
  let operator: OperatorProcess;
  let project: PulumiProject;
  let kubelet: FakeKubelet;

  before(async () => {
    plane = await startPlane();
    programs = [
      await startControllers(plane, ['deployment-controller', 'replicaset-controller', 'garbage-collector-controller']),
      await startScheduler(plane),
    ];
    await createGpuNode(plane.client, 'n1', 'H100', 2);
    const kubeconfig = await plane.kubeconfig();
    operator = await OperatorProcess.start({ kubeconfig, directory: dirname(kubeconfig) });
    kubelet = new FakeKubelet(plane.client, 'team-a');
    const env = { FLEET_TEST_KUBECONFIG: kubeconfig };
    project = new PulumiProject(env, join(checkout, 'test/integration/components/inference-stack/program'));
    await project.environment('stacks', 'Pulumi.dev.yaml');
  });
  after(async () => {
    project.remove();
    await operator.stop();
    await Promise.all(programs.map((program) => program.stop('SIGKILL')));
    await plane.stop();
  });

  /** Runs Pulumi with these stacks in the program, and plays the kubelet until it has ended. */
  async function run(
    command: readonly string[],
    stacks: Readonly<Record<string, InferenceStackArgs>>,
  ): Promise<Outcome> {
    let ended = false;
    let output = '';
    const env = { FLEET_TEST_STACKS: JSON.stringify(stacks) };
    const outcome = project
      .pulumi([...command, '--stack', 'stacks'], env, (text) => (output += text))
      .finally(() => (ended = true));
    await eventually(async () => {
      await kubelet.startAll();
      await kubelet.finishAll();
      assert.ok(ended, output);
    }, 200_000);
    return outcome;
  }

  const up = async (stacks: Readonly<Record<string, InferenceStackArgs>>): Promise<Outcome> =>
    run(['up', '--yes', '--skip-preview'], stacks);

  async function names(kind: string): Promise<readonly string[]> {
    const found = await plane.client.listAll(ownedType(kind), { namespace: 'team-a' });
    return found.map(({ metadata }) => metadata.name);
  }

  it('are refused in the preview by the rules of the API, all at once and without a stack trace', async () => {
    const spec = { gateway: { replicaCount: -1, drain: { seconds: 100 } } };
    const { code, output } = await run(['preview'], {
      chat: declare(spec),
      bad: declare(SPEC, { operatorVersion: 'newest' }),
    });
    assert.notEqual(code, 0, output);
    assert.match(output, /InferenceStack team-a\/chat: spec\.gateway\.replicaCount: must be at least 0 \(got -1\)/);
    assert.match(output, /InferenceStack team-a\/bad: metadata\.labels\.operatorVersion: is not an operator version/);
    assert.doesNotMatch(output, /unhandled exception|at file:/);
  });

  it('show what may not be meant, and know their addresses in the preview', async () => {
    const { code, output } = await run(['preview'], { chat: declare({ applications: { chat: {} } }) });
    assert.equal(code, 0, output);
    assert.match(
      output,
      /warning: InferenceStack team-a\/chat: spec\.applications\.chat\.readerConfig\.modelName: is not set/,
    );
    assert.match(output, /url *: "http:\/\/chat-inference-stack-gateway\.team-a\.svc"/);
  });

  it('are complete when they are ready, and what uses their address comes after', async () => {
    const { code, output } = await up({ chat: declare() });
    assert.equal(code, 0, output);
    const { status } = await getStack(plane.client, 'team-a', 'chat');
    assert.equal(status?.applicationsReady, '1/1');
    const address = await plane.client.get(ownedType('ConfigMap'), { namespace: 'team-a', name: 'chat-address' });
    assert.deepEqual(address['data'], { url: status.url });
    assert.match(output, /ready *: "The gateway and all applications are ready\."/);
  });

  it('are left alone by an update that changes nothing', async () => {
    const { code, output } = await run(['up', '--yes', '--skip-preview', '--expect-no-changes'], { chat: declare() });
    assert.equal(code, 0, output);
  });

  it('are complete after a change when the operator has made it', async () => {
    const { code, output } = await up({ chat: declare({ ...SPEC, gateway: { replicaCount: 3 } }) });
    assert.equal(code, 0, output);
    const { metadata, status } = await getStack(plane.client, 'team-a', 'chat');
    assert.equal(metadata.generation, 2);
    assert.equal(status?.observedGeneration, 2);
    assert.equal(status.gateway?.readyReplicas, 3);
  });

  const foreign: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'blocked-inference-stack-gateway', namespace: 'team-a' },
  };

  it('fail with the reason of the operator, or with the operator that is missing, and the others come up', async () => {
    await plane.client.create(ownedType('ConfigMap'), foreign);
    const unserved = declare(SPEC, { operatorVersion: 'v9' });
    const { code, output } = await up({ chat: declare(), blocked: declare(), unserved });
    assert.notEqual(code, 0, output);
    assert.match(
      output,
      /InferenceStack team-a\/blocked: cannot become ready: ApplyRefused: .*blocked-inference-stack-gateway/,
    );
    assert.match(output, /InferenceStack team-a\/unserved: no operator has looked at it, and .* asks for v9/);
    const { status } = await getStack(plane.client, 'team-a', 'chat');
    assert.equal(status?.gateway?.readyReplicas, 1);
    assert.deepEqual(
      (await names('ConfigMap')).filter((name) => name.endsWith('-address')),
      ['chat-address'],
    );
  });

  it('are waited for again by the next update, which is over when somebody has mended what was in the way', async () => {
    await plane.client.delete(ownedType('ConfigMap'), foreign.metadata);
    // The operator would try again by itself, but only after some minutes.
    const mended = { metadata: { annotations: { mended: 'yes' } } };
    await plane.client.mergePatch(STACKS, { namespace: 'team-a', name: 'blocked' }, mended);
    const { code, output } = await up({ chat: declare(), blocked: declare() });
    assert.equal(code, 0, output);
    await assert.rejects(getStack(plane.client, 'team-a', 'unserved'), /NotFound/);
  });

  it('are taken over as they are, but for fields that somebody else has set to another value', async () => {
    await plane.client.apply(STACKS, newStack('team-a', 'theirs', { gateway: { replicaCount: 2 } }), {
      fieldManager: 'kubectl',
    });
    const { uid } = (await getStack(plane.client, 'team-a', 'theirs')).metadata;
    const stacks = { chat: declare(), blocked: declare() };
    const conflict = await up({ ...stacks, theirs: declare({ gateway: { replicaCount: 1 } }) });
    assert.notEqual(conflict.code, 0, conflict.output);
    assert.match(conflict.output, /conflict with "kubectl".*\.spec\.gateway\.replicaCount/s);
    const { code, output } = await up({ ...stacks, theirs: declare({ gateway: { replicaCount: 2 } }) });
    assert.equal(code, 0, output);
    assert.equal((await getStack(plane.client, 'team-a', 'theirs')).metadata.uid, uid);
  });

  it('are gone with all their objects when `destroy` is over', async () => {
    const { code, output } = await run(['destroy', '--yes', '--skip-preview'], {});
    assert.equal(code, 0, output);
    assert.deepEqual(await plane.client.listAll(STACKS), []);
    assert.deepEqual(await names('Deployment'), []);
  });
});

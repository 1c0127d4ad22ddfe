import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { DEFINITIONS } from '../../../components/olm/resource-types.ts';
import { INFERENCE_STACK } from '../../../packages/api/constants.ts';
import { stackType } from '../../../packages/api/kinds.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { run } from '../../../packages/lib/command.ts';
import { valueAt } from '../../../packages/lib/json.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import type { Made } from '../../support/operator/made-in-group.ts';
import { OperatorProcess } from '../../support/operator/operator-process.ts';
import { grantOperatorRights } from '../../support/operator/operator-rights.ts';
import { OPERATOR_NAMESPACE, prepareLeases } from '../../support/operator/operator.ts';
import { createNamespace, ownedType } from '../../support/operator/stack-api.ts';

const GROUP = 'doublewordai.co';
const ENV = { INFERENCE_STACK_API_GROUP: GROUP };
const STACKS: ResourceType = { ...stackType(INFERENCE_STACK), group: GROUP };
const CHAT = { namespace: 'team-a', name: 'chat' };

/** An operator whose bundle is of another API group, with the rights of that bundle and no others. */
describe('the operator of another API group', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let directory: string;
  let operator: OperatorProcess | undefined;

  before(async () => {
    plane = await ControlPlane.start();
    directory = await mkdtemp(join(tmpdir(), 'api-group-'));
    const env = { ...process.env, ...ENV };
    const made = JSON.parse(
      await run('node', ['test/support/operator/made-in-group.ts'], { cwd: checkout, env }),
    ) as Made;
    // As `make install` does.
    const definitions = await run('node', ['components/api/print-definitions.ts'], { cwd: checkout, env });
    const apply = ['--kubeconfig', await plane.kubeconfig(), 'apply', '--server-side', '-f', '-'];
    await run('kubectl', apply, { input: definitions });
    await eventually(() => plane.client.list(STACKS));
    await createNamespace(plane.client, CHAT.namespace);
    await prepareLeases(plane.client, [1]);
    const role = yaml.load(made.bundle['manifests/cluster-role.yaml'] ?? '');
    await grantOperatorRights(plane.client, 'the-operator', valueAt(role, 'rules'));
    const connection = { ...(await plane.connectionFor('the-operator')), namespace: OPERATOR_NAMESPACE };
    const kubeconfig = await plane.kubeconfig(connection);
    operator = await OperatorProcess.start({ kubeconfig, directory, env: ENV });
  });
  after(async () => {
    await operator?.stop('SIGKILL');
    await plane.stop();
    await rm(directory, { recursive: true });
  });

  it('serves the stacks of that group, in a cluster that has no other', async () => {
    assert.deepEqual(
      (await plane.client.listAll(DEFINITIONS)).map(({ metadata }) => metadata.name),
      [`inferencestacks.${GROUP}`],
    );
    await plane.client.create(STACKS, {
      apiVersion: `${GROUP}/v1beta1`,
      kind: INFERENCE_STACK.kind,
      metadata: { ...CHAT, labels: { operatorVersion: 'v1' } },
      spec: { applications: { llama: { modelCache: { size: '1Gi' } } } },
    });
    const stack = await eventually(async () => {
      const found = await plane.client.get(STACKS, CHAT);
      assert.equal(valueAt(found, 'status', 'observedGeneration'), found.metadata.generation);
      return found;
    });
    assert.equal(valueAt(stack, 'status', 'operatorVersion'), '1.0.0');
  });

  it('owns and annotates what it makes in the name of that group', async () => {
    const made = (kind: string, name: string): Promise<KubernetesObject> =>
      eventually(() => plane.client.get(ownedType(kind), { namespace: CHAT.namespace, name }));
    const deployment = await made('Deployment', 'chat-inference-stack-llama');
    assert.deepEqual(
      deployment.metadata.ownerReferences?.map(({ apiVersion, name }) => [apiVersion, name]),
      [[`${GROUP}/v1beta1`, CHAT.name]],
    );
    const annotations = valueAt(deployment, 'spec', 'template', 'metadata', 'annotations');
    assert.match(String(valueAt(annotations, `${GROUP}/config-hash`)), /^[0-9a-f]{16}$/);
    const claim = await made('PersistentVolumeClaim', 'chat-inference-stack-llama');
    assert.equal(claim.metadata.annotations?.[`${GROUP}/deletion-policy`], 'Retain');
  });
});

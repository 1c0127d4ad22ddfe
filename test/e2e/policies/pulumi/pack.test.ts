import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../../../../cli/main.ts';
import { CATALOGS, DEFINITIONS, EXTENSIONS } from '../../../../components/olm/resource-types.ts';
import type { KubernetesObject, ResourceType } from '../../../../packages/kube/object.ts';
import { binding } from '../../../support/policies/objects.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { minimalCrd } from '../../../support/kubernetes/minimal-crd.ts';
import { PulumiProject, type Outcome } from '../../../support/pulumi/pulumi-project.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';
import { STACKS } from '../../../support/operator/stack-api.ts';

const BINDINGS: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};
const PROGRAM = fileURLToPath(new URL('program', import.meta.url));
const PACK = fileURLToPath(new URL('../../../../policies', import.meta.url));
const COLLISION =
  'ClusterExtension inference-stack-operator-v2 (resolves to 2.1.0 of catalog inference-stack-catalog) and ' +
  'ClusterExtension by-hand (resolves to 2.2.0 of catalog inference-stack-catalog) both take major 2 of inference-stack-operator.';

describe('the policy pack with the real Pulumi', function () {
  this.timeout(600_000);
  let plane: ControlPlane;
  let project: PulumiProject;

  const preview = (more: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Outcome> =>
    project.pulumi(['preview', '--stack', 'prod', ...args], more);

  before(async () => {
    plane = await ControlPlane.start();
    for (const type of [EXTENSIONS, CATALOGS, STACKS]) {
      await plane.client.create(DEFINITIONS, minimalCrd(type));
      await eventually(() => plane.client.listAll(type));
    }
    const env = {
      FLEET_TEST_KUBECONFIG: await plane.kubeconfig(),
      PULUMI_DEBUG_COMMANDS: 'true',
      PULUMI_STACK: 'prod',
    };
    project = new PulumiProject(env, PROGRAM);
    await project.environment('prod', 'Pulumi.prod.yaml');
  });
  after(async () => {
    await plane.stop();
    project.remove();
  });

  it('admits what the components declare', async () => {
    const { code, output } = await preview({}, '--policy-pack', PACK);
    assert.equal(code, 0, output);
    assert.ok(!output.includes('[mandatory]'), output);
  });

  it('blocks fast-v2 beside stable-v2, naming both extensions and the versions they resolve to', async () => {
    const { code, output } = await preview({ FLEET_TEST_DUPLICATE: '1' }, '--policy-pack', PACK);
    assert.notEqual(code, 0, output);
    assert.ok(output.includes(COLLISION), output);
  });

  it('sees an extension that somebody has put into the cluster with kubectl', async () => {
    await plane.client.create(EXTENSIONS, {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: 'by-hand' },
      spec: {
        source: { sourceType: 'Catalog', catalog: { packageName: 'inference-stack-operator', channels: ['fast-v2'] } },
      },
    });
    const { code, output } = await preview({}, '--policy-pack', PACK);
    await plane.client.delete(EXTENSIONS, { name: 'by-hand' });
    assert.notEqual(code, 0, output);
    assert.ok(output.includes(COLLISION), output);
  });

  it('judges what a patch leaves of an object in the cluster, and the pods that come of a stack', async () => {
    await plane.client.create(BINDINGS, {
      ...(binding('cluster-admin') as KubernetesObject),
      metadata: { name: 'shortcut' },
    });
    const { code, output } = await preview({ FLEET_TEST_INDIRECT: '1' }, '--policy-pack', PACK);
    assert.notEqual(code, 0, output);
    for (const message of [
      'ClusterRoleBinding shortcut should not give ServiceAccount x the role cluster-admin.',
      'InferenceStack default/chat: container chat-inference-stack-gateway should not be privileged: see spec.gateway.securityContext.privileged.',
    ]) {
      assert.ok(output.includes(message), output);
    }
  });

  it('becomes a comment that shows the finding first', async () => {
    const log = join(project.directory, 'events.jsonl');
    const { output } = await preview(
      { FLEET_TEST_DUPLICATE: '1' },
      '--policy-pack',
      PACK,
      '--json',
      '--event-log',
      log,
    );
    const io = recordingIo({ p: output.slice(0, output.lastIndexOf('\n}') + 2), e: await readFile(log, 'utf8') });
    assert.equal(await main(['preview-comment', '-e', 'prod', '--preview', 'p', '--events', 'e'], io), 1);
    const lines = io.stdout().split('\n');
    assert.match(lines[2] ?? '', /^### Preview of `prod`: refused by 3 policy findings \(\d+ to create\)$/);
    assert.ok(
      lines[6]?.startsWith('- **mandatory**, critical, `one-operator-per-major`: ClusterExtension'),
      io.stdout(),
    );
    assert.ok(io.stdout().includes('- v2: 2.1.0 (stable-v2, new)'), io.stdout());
  });
});

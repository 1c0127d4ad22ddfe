import assert from 'node:assert/strict';
import { main } from '../../../cli/main.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import { CATALOGS, DEFINITIONS, EXTENSIONS } from '../../../components/olm/resource-types.ts';
import { binding, catalog, clusterRole, extension, stack } from '../../support/policies/objects.ts';
import { withChanges } from '../../support/policies/support.ts';
import { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { minimalCrd } from '../../support/kubernetes/minimal-crd.ts';
import { recordingIo } from '../../support/people/recording-io.ts';
import { createNamespace, STACKS } from '../../support/operator/stack-api.ts';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false };
const ROLES: ResourceType = { ...RBAC, kind: 'ClusterRole', plural: 'clusterroles' };
const BINDINGS: ResourceType = { ...RBAC, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings' };
interface Outcome {
  readonly code: number;
  readonly mandatory: number;
  readonly findings: readonly { readonly rule: string; readonly message: string }[];
}

describe('fleet audit on a real API server', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let kubeconfig: string;

  const create = (type: ResourceType, object: object): Promise<unknown> =>
    plane.client.create(type, object as KubernetesObject);
  const auditNow = async (cluster = ['--kubeconfig', kubeconfig], files = {}): Promise<Outcome> => {
    const io = recordingIo(files);
    const code = await main(['audit', ...cluster, '-o', 'json'], io);
    return { code, ...(JSON.parse(io.stdout()) as Omit<Outcome, 'code'>) };
  };

  before(async () => {
    plane = await ControlPlane.start();
    kubeconfig = await plane.kubeconfig();
  });
  after(() => plane.stop());

  it('finds nothing to say about a cluster without OLM and without stacks', async () => {
    // The one object is the API server's own: every account may find out who issues tokens.
    assert.deepEqual(await auditNow(), {
      code: 0,
      findings: [],
      expected: [],
      mandatory: 0,
      advisory: 0,
      objects: 1,
      stage: 'prod',
    });
  });

  it('finds a second operator of a major, missing guards, wide roles, and stacks that nobody serves or that are soft', async () => {
    for (const type of [EXTENSIONS, CATALOGS, STACKS]) {
      await create(DEFINITIONS, minimalCrd(type));
      await eventually(() => plane.client.listAll(type));
    }
    await createNamespace(plane.client, 'team-a');
    await create(CATALOGS, catalog());
    await create(EXTENSIONS, extension());
    await create(EXTENSIONS, withChanges(extension(2, 'fast-v2'), [['metadata', 'name'], 'by-hand']));
    await create(
      ROLES,
      withChanges(
        clusterRole(),
        [['metadata', 'name'], 'inference-stack-operator-v2-installer'],
        [['rules', 0, 'verbs'], ['*']],
      ),
    );
    await create(BINDINGS, withChanges(binding('cluster-admin'), [['metadata', 'name'], 'shortcut']));
    await create(STACKS, stack('v7'));

    const { code, findings } = await auditNow();
    assert.equal(code, 1);
    const found = findings.map(({ rule, message }) => `${rule}: ${message}`);
    for (const expected of [
      'one-operator-per-major: ClusterExtension inference-stack-operator-v2 (asks for stable-v2, while the content of catalog inference-stack-catalog is not known) ' +
        'and ClusterExtension by-hand (asks for fast-v2, while the content of catalog inference-stack-catalog is not known) ' +
        'both take major 2 of inference-stack-operator.',
      'extension-is-bounded: ClusterExtension by-hand should be named inference-stack-operator-v2, as channel fast-v2 says: the name keeps a second one out.',
      'stable-channels-only: ClusterExtension by-hand should subscribe to a stable channel, not fast-v2.',
      'no-wildcard-rbac: ClusterRole inference-stack-operator-v2-installer should name what rules[0].verbs grants instead of "*".',
      'no-wildcard-rbac: ClusterRoleBinding shortcut should not give ServiceAccount installer the role cluster-admin.',
      'guards-are-enforced: ClusterExtension by-hand should not be without its guard: there is no ValidatingAdmissionPolicy inference-stack-fleet-stacks ' +
        'and no ValidatingAdmissionPolicyBinding of inference-stack-fleet-stacks.',
      'workloads-are-hardened: InferenceStack team-a/chat: container chat-inference-stack-gateway should have a liveness probe: see spec.gateway.livenessProbe.',
      'inference-stack-is-owned: InferenceStack team-a/chat should ask for an operator that the fleet serves: operatorVersion is v7, the fleet has no operator.',
    ]) {
      assert.ok(found.includes(expected), `${expected}\nis not among\n${found.join('\n')}`);
    }
    assert.ok(!found.some((line) => line.includes(' system:')), "roles of Kubernetes itself are not the fleet's");
  });

  it('judges the cluster of an environment at the levels of that environment', async () => {
    const project = 'inference-stack-fleet';
    const environmentFile = `config: { ${project}:kubeContext: test, ${project}:kubeconfig: ${kubeconfig} }`;
    const files = {
      [`${checkout}/Pulumi.yaml`]: `name: ${project}`,
      [`${checkout}/Pulumi.dev.yaml`]: environmentFile,
      [`${checkout}/Pulumi.prod.yaml`]: environmentFile,
    };
    const production = await auditNow(['--environment', 'prod'], files);
    const development = await auditNow(['--environment', 'dev'], files);
    assert.deepEqual(production, await auditNow());
    assert.ok(development.mandatory < production.mandatory, 'what only matters in production is advice elsewhere');
  });
});

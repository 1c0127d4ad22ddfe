import assert from 'node:assert/strict';
import { DEPLOYMENTS } from '../../../../components/olm/resource-types.ts';
import type { KubernetesObject, ResourceType } from '../../../../packages/kube/object.ts';
import { patched } from '../../../../policies/pulumi/patch.ts';
import { subjectsOf } from '../../../../policies/pulumi/resources.ts';
import { factsLoader } from '../../../../policies/pulumi/load-facts.ts';
import { binding, clusterRole, deployment, guards } from '../../../support/policies/objects.ts';
import { patch, providerOf } from '../../../support/policies/program.ts';
import { withChanges } from '../../../support/policies/support.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { createNamespace } from '../../../support/operator/stack-api.ts';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false };
const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };

const [POLICY, BINDING] = guards();
const NAMESPACE = 'inference-stack-operator-system';
const LABELS = { app: 'controller' };
const POD = ['spec', 'template', 'spec'];

/** Each kind of which rules read a list, the object in the cluster, and the fields that a program patches. */
const CASES: Readonly<Record<string, readonly [ResourceType, object, object]>> = {
  Deployment: [
    DEPLOYMENTS,
    withChanges(
      deployment(),
      [['spec', 'selector'], { matchLabels: LABELS }],
      [['spec', 'template', 'metadata'], { labels: LABELS }],
      [[...POD, 'volumes'], [{ name: 'scratch', emptyDir: {} }]],
    ),
    {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'manager', securityContext: { readOnlyRootFilesystem: false, runAsUser: 0 } },
              { name: 'second', image: 'docker.io/tytn/second:1' },
            ],
            volumes: [{ name: 'root', hostPath: { path: '/' } }],
          },
        },
      },
    },
  ],
  ClusterRole: [
    { ...RBAC, kind: 'ClusterRole', plural: 'clusterroles' },
    clusterRole(),
    { rules: [{ apiGroups: ['*'], resources: ['pods'], verbs: ['get'] }] },
  ],
  ClusterRoleBinding: [
    { ...RBAC, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings' },
    binding(),
    { subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: 'y' }] },
  ],
  ValidatingAdmissionPolicy: [
    { ...ADMISSION, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
    POLICY,
    { spec: { matchConditions: [{ name: 'never', expression: 'false' }] } },
  ],
  ValidatingAdmissionPolicyBinding: [
    { ...ADMISSION, kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings' },
    BINDING,
    { spec: { validationActions: ['Audit'] } },
  ],
};

describe('a patch, as the policies see it and as a real API server applies it', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let kubeconfig: string;

  before(async () => {
    plane = await ControlPlane.start();
    kubeconfig = await plane.kubeconfig();
    await createNamespace(plane.client, NAMESPACE);
  });
  after(() => plane.stop());

  for (const [kind, [type, object, fields]] of Object.entries(CASES)) {
    it(`leaves the same ${kind}`, async () => {
      await plane.client.apply(type, object as KubernetesObject, { fieldManager: 'owner' });
      const { apiVersion, metadata } = object as KubernetesObject;
      const { name, namespace } = metadata;
      const changes = {
        apiVersion,
        kind,
        metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
        ...fields,
      };
      const options = { fieldManager: 'patcher', force: true, dryRun: true };
      const expected = await plane.client.apply(type, changes, options);

      const resources = [{ ...patch(changes), provider: providerOf(kubeconfig) }];
      const facts = await factsLoader([], {})(resources);
      const [subject] = subjectsOf(resources).map((each) => patched(each, facts));
      const keys = ['spec', 'rules', 'roleRef', 'subjects'];
      const seen = Object.fromEntries(keys.map((key) => [key, subject?.object.plain(key)]));
      const applied = Object.fromEntries(keys.map((key) => [key, expected[key]]));
      assert.deepEqual(withoutDefaults(seen), withoutDefaults(applied));
    });
  }
});

/** Without what the API server fills into a container that is new to it, which no rule reads. */
function withoutDefaults(fields: object): unknown {
  const filled = ['terminationMessagePath', 'terminationMessagePolicy', 'imagePullPolicy', 'resources', 'type'];
  return JSON.parse(JSON.stringify(fields, (key, field: unknown) => (filled.includes(key) ? undefined : field)));
}

import assert from 'node:assert/strict';
import { main } from '../../../cli/main.ts';
import { writersGuard } from '../../../components/guards/writers-guard.ts';
import { writersOf } from '../../../components/guards/writers.ts';
import { CLUSTER_ROLES, DEPLOYMENTS } from '../../../components/olm/resource-types.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { installGuard } from '../../support/kubernetes/install-guard.ts';
import { recordingIo } from '../../support/people/recording-io.ts';
import { createNamespace } from '../../support/operator/stack-api.ts';

const RBAC = 'rbac.authorization.k8s.io';
const BINDINGS: ResourceType = {
  group: RBAC,
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};
const OLM = 'olmv1-system';
const CONTROLLER = 'operator-controller-controller-manager';

function clusterRole(name: string, verbs: readonly string[], labels = {}): KubernetesObject {
  const rules = [{ apiGroups: ['olm.operatorframework.io'], resources: ['clustercatalogs'], verbs }];
  return { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name, labels }, rules };
}

function bound(name: string, role: string, subject: object): KubernetesObject {
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: role };
  return { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects: [subject] };
}

function controller(): KubernetesObject {
  const labels = { app: 'olm' };
  const spec = { serviceAccountName: CONTROLLER, containers: [{ name: 'manager', image: 'olm' }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: CONTROLLER, namespace: OLM },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

describe('an audit of writers on a real API server', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let kubeconfig: string;

  before(async () => {
    plane = await ControlPlane.start();
    kubeconfig = await plane.kubeconfig();
    await createNamespace(plane.client, OLM);
    await plane.client.create(DEPLOYMENTS, controller());
    // Kubernetes gathers this one into `admin` and `edit`; here no controller does, and the audit need not wait for it.
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' };
    await plane.client.create(CLUSTER_ROLES, clusterRole('catalog-editor', ['create', 'patch'], labels));
    await plane.client.create(BINDINGS, bound('editors', 'edit', { kind: 'Group', name: 'editors', apiGroup: RBAC }));
  });
  after(() => plane.stop());

  const report = async (...args: string[]): Promise<{ code: number; text: string }> => {
    const io = recordingIo({});
    const code = await main(['audit', '--kubeconfig', kubeconfig, ...args], io);
    return { code, text: io.stdout() };
  };
  const EDITORS =
    'ClusterRoleBinding editors should not let Group editors write ClusterExtensions or ClusterCatalogs (create, patch on clustercatalogs, by ClusterRole edit)';

  it('only tells of somebody who writes by a role that gathers another, while OLM is not cluster-admin', async () => {
    const { code, text } = await report();
    assert.equal(code, 0, text);
    assert.ok(text.includes(`${EDITORS}: OLM does not act as cluster-admin here, but does from 1.11 on.`), text);
  });

  it('finds them as soon as it is, and nobody of Kubernetes itself', async () => {
    const subject = { kind: 'ServiceAccount', name: CONTROLLER, namespace: OLM };
    await plane.client.create(
      BINDINGS,
      bound('operator-controller-cluster-admin-rolebinding', 'cluster-admin', subject),
    );
    const { code, text } = await report('-o', 'json');
    assert.equal(code, 1, text);
    const { findings, expected } = JSON.parse(text) as Record<
      'findings' | 'expected',
      { rule: string; message: string }[]
    >;
    assert.deepEqual(
      findings.filter(({ rule }) => rule === 'olm-writers-are-known').map(({ message }) => message),
      [`${EDITORS}: OLM acts as cluster-admin, and so would they.`],
    );
    assert.deepEqual(
      expected.map(({ message }) => /^ClusterRoleBinding (\S+) lets .*: (.*)\.$/.exec(message)?.slice(1)),
      [
        ['cluster-admin', 'cluster-admin in any case'],
        ['operator-controller-cluster-admin-rolebinding', 'cluster-admin in any case'],
        ['system:controller:clusterrole-aggregation-controller', "Kubernetes' own"],
        ['system:controller:generic-garbage-collector', "Kubernetes' own"],
        // It may get everything, and so what kubelets let those do who reach them.
        ['system:controller:namespace-controller', "Kubernetes' own"],
        ['system:kube-controller-manager', "Kubernetes' own"],
      ],
    );
  });

  it('expects those whom the guard admits', async () => {
    await installGuard(plane.client, writersGuard(writersOf(['Group editors'])));
    const { code, text } = await report();
    assert.equal(code, 0, text);
    assert.ok(text.includes('  ClusterRoleBinding editors lets Group editors write '), text);
  });
});

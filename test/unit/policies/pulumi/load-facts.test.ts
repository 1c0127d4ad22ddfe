import assert from 'node:assert/strict';
import type { PolicyProviderResource } from '@pulumi/policy';
import type { Resource } from '../../../../policies/pulumi/clusters.ts';
import { subjectOf } from '../../../../policies/knowledge/subject.ts';
import { factsLoader } from '../../../../policies/pulumi/load-facts.ts';
import { listOf, withFakeApi, type Answers } from '../../../support/kubernetes/fake-api.ts';
import { binding as bindingOf, clusterRole, deployment } from '../../../support/policies/objects.ts';
import { patch, providerOf, resource } from '../../../support/policies/program.ts';

function resourceOf(kubeconfig: unknown): Resource {
  const provider: PolicyProviderResource = {
    type: 'pulumi:providers:kubernetes',
    name: 'cluster',
    urn: 'urn:cluster',
    props: { kubeconfig },
  };
  const customTimeouts = { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 };
  const opts = { protect: false, ignoreChanges: [], aliases: [], additionalSecretOutputs: [], customTimeouts };
  return { type: 'kubernetes:core/v1:Namespace', name: 'n', urn: 'urn:n', props: {}, opts, provider };
}

async function reason(...resources: readonly Resource[]): Promise<string | undefined> {
  return (await factsLoader(['inference-stack-operator'], {})(resources)).noCluster;
}

describe('reading the cluster of a program', () => {
  it('says why there is none', async () => {
    assert.equal(await reason(), 'the program has no Kubernetes provider.');
    assert.match((await reason(resourceOf('/nowhere/kubeconfig'))) ?? '', /there is no such file/);
  });

  it('reads no other cluster than that of the provider, which a preview may not know', async () => {
    const unknown = resourceOf('');
    const get = (): never => {
      throw new Error(".kubeconfig can't be known during preview");
    };
    const props = new Proxy(unknown.provider?.props ?? {}, { get });
    const provider = { type: 'pulumi:providers:kubernetes', name: 'cluster', urn: 'urn:cluster', props };
    assert.equal(await reason({ ...unknown, provider }), "the provider's cluster is known only after the update.");
  });

  it('never shows a kubeconfig that is given as text', async () => {
    for (const text of ['apiVersion: v1\nusers: [{token: hush}]', '{"users":[{"token":"hush"}]}']) {
      assert.equal(await reason(resourceOf(text)), "the provider's kubeconfig is text, not a file.");
    }
  });
});

describe('reading what a program patches', () => {
  const RBAC = '/apis/rbac.authorization.k8s.io/v1';
  const DISCOVERY = {
    resources: [
      { name: 'clusterrolebindings', kind: 'ClusterRoleBinding', namespaced: false },
      { name: 'roles/status', kind: 'Role', namespaced: true },
      { name: 'roles', kind: 'Role', namespaced: true },
    ],
  };
  const binding = bindingOf('cluster-admin');
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' } };

  async function patched(answers: Answers, ...patches: readonly object[]): Promise<readonly string[]> {
    return withFakeApi({ [RBAC]: DISCOVERY, ...answers }, async (kubeconfig) => {
      const resources = patches.map((object) => ({ ...patch(object), provider: providerOf(kubeconfig) }));
      const load = factsLoader(['inference-stack-operator'], {});
      const { cluster } = await load(resources);
      assert.deepEqual((await load(resources)).cluster?.patched, cluster?.patched);
      return (cluster?.patched ?? []).map((object) => subjectOf(object).title);
    });
  }

  it('finds the object, of the cluster or of a namespace', async () => {
    const inNamespace = { ...role, metadata: { name: 'r', namespace: 'team-a' } };
    const answers = {
      [`${RBAC}/clusterrolebindings/installer`]: binding,
      [`${RBAC}/namespaces/team-a/roles/r`]: inNamespace,
      [`${RBAC}/namespaces/default/roles/r`]: { ...role, metadata: { name: 'r', namespace: 'default' } },
    };
    assert.deepEqual(await patched(answers, binding, inNamespace, role), [
      'ClusterRoleBinding installer',
      'Role team-a/r',
      'Role default/r',
    ]);
  });

  it('leaves out what it may not read, what is not there, and kinds that the cluster does not know', async () => {
    const stranger = { apiVersion: 'example.com/v1', kind: 'Stranger', metadata: { name: 's' } };
    const answers = { [`${RBAC}/clusterrolebindings/installer`]: binding, [`${RBAC}/namespaces/default/roles/r`]: 403 };
    assert.deepEqual(await patched(answers, stranger, role, binding), ['ClusterRoleBinding installer']);
    assert.deepEqual(await patched({}, binding), []);
  });
});

describe('reading the roles of a cluster', () => {
  const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const roles = (answers: Answers, object: object): Promise<number | undefined> =>
    withFakeApi(answers, async (kubeconfig) => {
      const resources = [{ ...resource(object), provider: providerOf(kubeconfig) }];
      return (await factsLoader(['inference-stack-operator'], {})(resources)).cluster?.clusterRoles?.length;
    });

  it('is for programs that give rights', async () => {
    const answers = { [ROLES]: listOf(clusterRole()) };
    assert.equal(await roles(answers, bindingOf()), 1);
    assert.equal(await roles(answers, deployment()), undefined);
  });

  it('leaves everything else as it is where they must not be read', async () => {
    assert.equal(await roles({ [ROLES]: 403 }, bindingOf()), undefined);
  });
});

import assert from 'node:assert/strict';
import { readDefinitions } from '../../../../components/api/definitions.ts';
import { stackRoles } from '../../../../components/api/stack-roles.ts';
import { GROUP, INFERENCE_STACK, MODEL_ORCHESTRA } from '../../../../packages/api/constants.ts';
import { isForbidden } from '../../../../packages/kube/client/api-error.ts';
import { Client } from '../../../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../../../packages/kube/object.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { startControllers } from '../../../support/kubernetes/kube-programs.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import type { Program } from '../../../support/machine/program.ts';
import { createNamespace, installCrd, newStack, STACKS } from '../../../support/operator/stack-api.ts';

const RBAC = 'rbac.authorization.k8s.io';
const rbac = (kind: string, plural: string, namespaced: boolean): ResourceType => {
  return { group: RBAC, version: 'v1', kind, plural, namespaced };
};
const ROLES = rbac('ClusterRole', 'clusterroles', false);
const BINDINGS = rbac('RoleBinding', 'rolebindings', true);
const REVIEWS: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
};

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const TEAM = 'team-a';
const CHAT = { namespace: TEAM, name: 'chat' };

/** People who have one role in the namespace of their team, and no other right: each is named after it. */
const VIEWERS = ['view', `${INFERENCE_STACK.plural}.${GROUP}-view`];
const EDITORS = ['edit', 'admin', `${INFERENCE_STACK.plural}.${GROUP}-edit`];

/** The control plane, with the controller of Kubernetes that adds roles to others. */
describe('the roles for people in a real API server', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let controller: Program;

  before(async () => {
    plane = await ControlPlane.start();
    const definitions = await readDefinitions(true);
    for (const definition of definitions) {
      await installCrd(plane.client, definition as unknown as KubernetesObject);
      for (const { name, labels, rules } of stackRoles(definition)) {
        await plane.client.create(ROLES, {
          apiVersion: `${RBAC}/v1`,
          kind: ROLES.kind,
          metadata: { name, labels: { ...labels } },
          rules,
        });
      }
    }
    for (const namespace of [TEAM, 'team-b']) await createNamespace(plane.client, namespace);
    for (const role of [...VIEWERS, ...EDITORS]) {
      await plane.client.create(BINDINGS, {
        apiVersion: `${RBAC}/v1`,
        kind: BINDINGS.kind,
        metadata: { name: role.replaceAll('.', '-'), namespace: TEAM },
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'User', name: role, apiGroup: RBAC }],
      });
    }
    controller = await startControllers(plane, ['clusterrole-aggregation-controller']);
    // The controller gathers, and then the API server takes a moment to learn of it.
    await eventually(async () => {
      for (const { plural: resource } of [INFERENCE_STACK, MODEL_ORCHESTRA]) {
        assert.ok((await rights('view', { resource })).includes('get'));
        for (const role of ['edit', 'admin']) assert.ok((await rights(role, { resource })).includes('create'), role);
      }
    }, 60_000);
  });
  after(async () => {
    await controller.stop('SIGKILL');
    await plane.stop();
  });

  /** The verbs that somebody may use on stacks. */
  async function rights(
    user: string,
    { namespace = TEAM, resource = INFERENCE_STACK.plural, subresource = '' } = {},
  ): Promise<readonly string[]> {
    const verbs = [...READ, ...WRITE];
    const answers = await Promise.all(
      verbs.map(async (verb) => {
        const resourceAttributes = { group: GROUP, resource, subresource, namespace, verb };
        const review = await plane.client.create(REVIEWS, {
          apiVersion: 'authorization.k8s.io/v1',
          kind: REVIEWS.kind,
          metadata: { name: '' },
          spec: { user, resourceAttributes },
        });
        return (review['status'] as { readonly allowed: boolean }).allowed;
      }),
    );
    return verbs.filter((_, index) => answers[index]);
  }

  async function as<T>(user: string, work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client(await plane.connectionFor(user));
    try {
      return await work(client);
    } finally {
      client.close();
    }
  }

  for (const role of EDITORS) {
    it(`let somebody with ${role} write stacks in the namespace, and no status`, async () => {
      for (const { plural: resource } of [INFERENCE_STACK, MODEL_ORCHESTRA]) {
        // A role of ours is about one kind, those of Kubernetes are about both.
        const isAbout = !role.includes('.') || role.startsWith(resource);
        assert.deepEqual(await rights(role, { resource }), isAbout ? [...READ, ...WRITE] : []);
        assert.deepEqual(await rights(role, { resource, subresource: 'status' }), isAbout ? READ : []);
        assert.deepEqual(await rights(role, { resource, subresource: 'finalizers' }), []);
      }
      assert.deepEqual(await rights(role, { namespace: 'team-b' }), []);
    });
  }

  for (const role of VIEWERS) {
    it(`let somebody with ${role} read stacks in the namespace, and write none`, async () => {
      assert.deepEqual(await rights(role), READ);
      assert.deepEqual(await rights(role, { subresource: 'status' }), READ);
      assert.deepEqual(await rights(role, { namespace: 'team-b' }), []);
    });
  }

  it('carry a stack of a team through its life', async () => {
    await as('edit', async (client) => {
      await client.create(STACKS, newStack(TEAM, CHAT.name, {}));
      await client.mergePatch(STACKS, CHAT, { spec: { gateway: { replicaCount: 2 } } });
      const stack = await client.get(STACKS, CHAT);
      await assert.rejects(client.update(STACKS, { ...stack, status: { gpus: 1 } }, 'status'), isForbidden);
      // A status in an ordinary write is left out, whoever writes.
      await client.update(STACKS, { ...stack, status: { gpus: 1 } });
      assert.equal((await client.get(STACKS, CHAT))['status'], undefined);
      await assert.rejects(client.create(STACKS, newStack('team-b', CHAT.name, {})), isForbidden);
    });
    await as('view', async (client) => {
      assert.equal((await client.listAll(STACKS, { namespace: TEAM })).length, 1);
      await assert.rejects(client.mergePatch(STACKS, CHAT, { spec: {} }), isForbidden);
      await assert.rejects(client.delete(STACKS, CHAT), isForbidden);
      await assert.rejects(client.create(STACKS, newStack(TEAM, 'other', {})), isForbidden);
    });
    await as('edit', (client) => client.delete(STACKS, CHAT));
  });
});

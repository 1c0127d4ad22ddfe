import assert from 'node:assert/strict';
import { readWriters } from '../../../../components/guards/read-writers.ts';
import { writersGuard } from '../../../../components/guards/writers-guard.ts';
import { writersOf, type Writers } from '../../../../components/guards/writers.ts';
import { CATALOGS, DEFINITIONS, EXTENSIONS } from '../../../../components/olm/resource-types.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import { Client } from '../../../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../../../packages/kube/object.ts';
import { readIdentity } from '../../../../infra/cluster/identity.ts';
import { readLiveState } from '../../../../infra/cluster/live-state.ts';
import type { Settings } from '../../../../infra/config/schema.ts';
import { planWriters } from '../../../../infra/guards/plan-writers.ts';
import { catalog, extension } from '../../../support/policies/objects.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { BINDINGS as ADMISSION_BINDINGS, installGuard } from '../../../support/kubernetes/install-guard.ts';
import { minimalCrd } from '../../../support/kubernetes/minimal-crd.ts';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false };
const BINDINGS: ResourceType = { ...RBAC, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings' };

/** Everybody in this test may write by RBAC: what is refused, the guard refuses. */
const ADMINS = 'everybody-here';
const CATALOGD = 'system:serviceaccount:olmv1-system:catalogd-controller-manager';
const OPERATOR_CONTROLLER = 'system:serviceaccount:olmv1-system:operator-controller-controller-manager';
const LISTED = writersOf(['User anna', 'Group platform', 'ServiceAccount ci/deployer'], {
  username: 'applier',
  groups: [],
});

/** The CRD as OLM's has it: status is a part of its own. */
function withStatus(type: ResourceType): KubernetesObject {
  const crd = minimalCrd(type) as KubernetesObject & { spec: { versions: object[] } };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } };
  const versions = crd.spec.versions.map((version) => ({ ...version, schema, subresources: { status: {} } }));
  return { ...crd, spec: { ...crd.spec, versions } };
}

describe('the guard of writers in a real API server', function () {
  this.timeout(120_000);
  let plane: ControlPlane;

  before(async () => {
    plane = await ControlPlane.start();
    for (const type of [EXTENSIONS, CATALOGS]) {
      await plane.client.create(DEFINITIONS, withStatus(type));
      await eventually(() => plane.client.list(type));
    }
    await plane.client.create(BINDINGS, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: ADMINS },
      roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'Group', name: ADMINS, apiGroup: RBAC.group }],
    });
    for (const [type, object] of [
      [EXTENSIONS, extension()],
      [CATALOGS, catalog()],
    ] as const) {
      await plane.client.create(type, object as KubernetesObject);
    }
    await installGuard(plane.client, writersGuard(LISTED));
    // The API server takes a moment to learn of a policy.
    const probe = (client: Client): Promise<unknown> =>
      client.apply(EXTENSIONS, named('probe'), { fieldManager: 'test', dryRun: true });
    await eventually(() => assert.rejects(as('probe', [], probe)), 30_000);
  });
  after(async () => plane.stop());

  /** Does something as somebody else, by impersonation as `kubectl --as` does it. */
  async function as<T>(user: string, groups: readonly string[], work: (client: Client) => Promise<T>): Promise<T> {
    const headers = { 'Impersonate-User': user, 'Impersonate-Group': [ADMINS, ...groups] };
    const client = new Client({ ...plane.connection, headers });
    try {
      return await work(client);
    } catch (error) {
      assert.ok(error instanceof ApiError);
      throw new Error(error.message.replace(/^.* denied request: /s, ''), { cause: error });
    } finally {
      client.close();
    }
  }

  function named(name: string): KubernetesObject {
    return { ...(extension() as KubernetesObject), metadata: { name } };
  }

  const EXTENSION = { name: 'inference-stack-operator-v2' };
  const refusalOf = (user: string, object = `ClusterExtension ${EXTENSION.name}`): { message: string } => ({
    message: `${object} must not be written by ${user}. Only these may: Group platform, User anna, ServiceAccount ci/deployer, User applier. Whoever runs the fleet keeps this list.`,
  });

  const admitted: Record<string, readonly [string, readonly string[]]> = {
    'a user': ['anna', []],
    'a member of a group': ['somebody', ['platform']],
    'a ServiceAccount': ['system:serviceaccount:ci:deployer', ['system:serviceaccounts', 'system:serviceaccounts:ci']],
    'whoever applied it without being listed': ['applier', []],
    'the garbage collector': ['system:serviceaccount:kube-system:generic-garbage-collector', []],
    'the controller manager': ['system:kube-controller-manager', []],
  };
  for (const [who, [user, groups]] of Object.entries(admitted)) {
    it(`lets ${who} create, change and delete`, async () => {
      await as(user, groups, async (client) => {
        await client.create(EXTENSIONS, named('own'));
        await client.mergePatch(EXTENSIONS, { name: 'own' }, { spec: { namespace: 'elsewhere' } });
        await client.delete(EXTENSIONS, { name: 'own' });
      });
    });
  }

  it('refuses to anybody else to create, change and delete, administrators included, and says who may', async () => {
    await assert.rejects(
      as('bob', ['platform-2', 'system:masters'], (client) => client.create(EXTENSIONS, named('own'))),
      refusalOf('bob', 'ClusterExtension own'),
    );
    const ref = { name: 'inference-stack-catalog' };
    await assert.rejects(
      as('system:serviceaccount:ci:deployer-2', [], (client) =>
        client.mergePatch(CATALOGS, ref, { spec: { source: { image: { ref: 'evil' } } } }),
      ),
      refusalOf('system:serviceaccount:ci:deployer-2', `ClusterCatalog ${ref.name}`),
    );
    await assert.rejects(
      as('bob', [], (client) => client.delete(EXTENSIONS, EXTENSION)),
      refusalOf('bob'),
    );
  });

  const changes: Record<string, object> = {
    'its spec': { spec: { namespace: 'elsewhere' } },
    'its labels, by which extensions select catalogs': { metadata: { labels: { tier: 'gold' } } },
    'its annotations, which declare a rollback': { metadata: { annotations: { a: 'b' } } },
    'its owners, with whom it would go': {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Namespace', name: 'gone', uid: 'x' }] },
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`refuses to change ${what}`, async () => {
      await assert.rejects(
        as(OPERATOR_CONTROLLER, [], (client) => client.mergePatch(EXTENSIONS, EXTENSION, { ...change })),
        refusalOf(OPERATOR_CONTROLLER),
      );
    });
  }

  for (const [controller, type, ref] of [
    [OPERATOR_CONTROLLER, EXTENSIONS, EXTENSION],
    [CATALOGD, CATALOGS, { name: 'inference-stack-catalog' }],
  ] as const) {
    it(`lets OLM write status and finalizers of a ${type.kind}, and end its deletion`, async () => {
      const finalizers = ['olm.operatorframework.io/cleanup'];
      await as(controller, [], async (client) => {
        await client.mergePatch(
          type,
          ref,
          { status: { conditions: [{ type: 'Installed' }] } },
          { subresource: 'status' },
        );
        const object = await client.mergePatch(type, ref, { metadata: { finalizers } });
        // Its own update carries the object as a whole.
        await client.update(type, object);
      });
      await as('anna', [], (client) => client.delete(type, ref));
      await as(controller, [], (client) => client.mergePatch(type, ref, { metadata: { finalizers: [] } }));
      await assert.rejects(plane.client.get(type, ref), /404/);
    });
  }

  describe('of the status of a ClusterCatalog, which says where OLM downloads its content', () => {
    const ref = { name: 'served' };
    const status = (base: string): { status: object } => ({ status: { urls: { base } } });
    const serveFrom = (user: string, base: string): Promise<unknown> =>
      as(user, [], (client) => client.mergePatch(CATALOGS, ref, status(base), { subresource: 'status' }));
    const served = { ...(catalog() as KubernetesObject), metadata: ref };
    before(() => as('anna', [], (client) => client.create(CATALOGS, served)));

    for (const [who, user] of Object.entries({ catalogd: CATALOGD, 'a listed writer': 'anna' })) {
      it(`lets ${who} change it`, () => serveFrom(user, `https://${user.split(':').at(-1)}.example`));
    }

    it('refuses it to anybody else, whatever of it is changed', async () => {
      for (const user of ['eve', OPERATOR_CONTROLLER, 'system:serviceaccount:team-a:catalogd-controller-manager']) {
        await assert.rejects(serveFrom(user, 'https://evil.example'), refusalOf(user, `ClusterCatalog ${ref.name}`));
      }
    });

    it('admits catalogd for nothing else', async () => {
      await assert.rejects(
        as(CATALOGD, [], (client) => client.mergePatch(CATALOGS, ref, { spec: { priority: 9 } })),
        refusalOf(CATALOGD, `ClusterCatalog ${ref.name}`),
      );
    });

    it('is not concerned by a status in a request about the rest, which the API server leaves out', async () => {
      const change = { ...status('https://evil.example'), metadata: { finalizers: ['a.b/c'] } };
      const changed = await as(OPERATOR_CONTROLLER, [], (client) => client.mergePatch(CATALOGS, ref, change));
      assert.doesNotMatch(JSON.stringify(changed), /evil/);
    });
  });

  it('is read back as it was applied, as long as it refuses', async () => {
    assert.deepEqual(await readWriters(plane.client), LISTED);
    const ref = { name: writersGuard(LISTED).name };
    await plane.client.mergePatch(ADMISSION_BINDINGS, ref, { spec: { validationActions: ['Warn'] } });
    assert.equal(await readWriters(plane.client), undefined);
  });
});

describe('the program and the guard of an earlier run, in a real API server', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  before(async () => {
    plane = await ControlPlane.start();
    await installGuard(plane.client, writersGuard(LISTED));
  });
  after(async () => plane.stop());

  /** Plans as somebody with a certificate of their own. */
  async function planAs(user: string, groups: readonly string[] = []): Promise<Writers | undefined> {
    const kubeconfig = await plane.kubeconfig(await plane.connectionFor(user, groups));
    const silent = (): void => undefined;
    return planWriters({
      settings: { olm: { writers: ['Group platform'] }, guards: 'deny' } as unknown as Settings,
      cluster: { kubeconfig, context: 'test' },
      live: await readLiveState(plane.client),
      preview: false,
      log: { info: silent, warn: silent },
    });
  }

  it('goes on as somebody whom it admits, and keeps whoever is not on the new list', async () => {
    assert.deepEqual(await planAs('anna'), { users: [], groups: ['platform'], appliers: ['anna'] });
    assert.deepEqual(await planAs('session-17', ['platform']), { users: [], groups: ['platform'], appliers: [] });
  });

  it('refuses as anybody else, before anything runs', async () => {
    await assert.rejects(planAs('eve', ['devs']), /olm\.writers: is not admitted by the guard .*got "User eve"/);
  });
});

describe('the identity by which the API server knows a client', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  before(async () => (plane = await ControlPlane.start()));
  after(async () => plane.stop());

  it('is that of its certificate', async () => {
    assert.deepEqual(await readIdentity(plane.client), {
      username: 'admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });

  it('is that of whoever it impersonates', async () => {
    const client = new Client({ ...plane.connection, headers: { 'Impersonate-User': 'anna' } });
    try {
      assert.deepEqual(await readIdentity(client), { username: 'anna', groups: ['system:authenticated'] });
    } finally {
      client.close();
    }
  });
});

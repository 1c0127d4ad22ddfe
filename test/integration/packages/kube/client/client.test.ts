import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { ApiError, isConflict, isNotFound, isRefusal } from '../../../../../packages/kube/client/api-error.ts';
import { Client } from '../../../../../packages/kube/client/client.ts';
import { loadConnection } from '../../../../../packages/kube/connect/kubeconfig.ts';
import type { KubernetesObject, ResourceType } from '../../../../../packages/kube/object.ts';
import { ControlPlane } from '../../../../support/kubernetes/control-plane.ts';
import { ownedType } from '../../../../support/operator/stack-api.ts';

const CONFIG_MAPS: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};

const SELF_SUBJECT_REVIEWS: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

function configMap(name: string, data: Record<string, string>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data };
}

const DEPLOYMENTS = ownedType('Deployment');

function deployment(argument: string): KubernetesObject {
  const labels = { app: 'large' };
  const spec = { containers: [{ name: 'a', image: 'a', args: [argument] }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'large', namespace: 'default' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

describe('the client against a real API server', function () {
  this.timeout(90_000);
  let plane: ControlPlane;

  before(async () => {
    plane = await ControlPlane.start();
  });
  after(() => plane.stop());

  it('creates, reads, patches, replaces and deletes an object', async () => {
    const { client } = plane;
    const ref = { namespace: 'default', name: 'life' };
    const created = await client.create(CONFIG_MAPS, configMap('life', { a: '1' }));
    assert.ok(created.metadata.uid);
    await client.mergePatch(CONFIG_MAPS, ref, { data: { b: '2' } });
    const read = await client.get(CONFIG_MAPS, ref);
    assert.deepEqual(read['data'], { a: '1', b: '2' });
    await client.update(CONFIG_MAPS, { ...read, data: { c: '3' } });
    await assert.rejects(client.update(CONFIG_MAPS, read), isConflict);
    await client.delete(CONFIG_MAPS, ref);
    await assert.rejects(client.get(CONFIG_MAPS, ref), isNotFound);
  });

  it('applies with a field manager and takes fields over only by force', async () => {
    const { client } = plane;
    await client.apply(CONFIG_MAPS, configMap('applied', { a: '1' }), { fieldManager: 'first' });
    const second = configMap('applied', { a: '2' });
    await assert.rejects(client.apply(CONFIG_MAPS, second, { fieldManager: 'second' }), isConflict);
    const forced = await client.apply(CONFIG_MAPS, second, { fieldManager: 'second', force: true });
    assert.deepEqual(forced['data'], { a: '2' });
    const dry = await client.apply(CONFIG_MAPS, configMap('dry', {}), { fieldManager: 'first', dryRun: true });
    assert.equal(dry.metadata.name, 'dry');
    await assert.rejects(client.get(CONFIG_MAPS, { namespace: 'default', name: 'dry' }), isNotFound);
  });

  it('lists page by page and watches from where the list ended', async () => {
    const { client } = plane;
    for (const index of [1, 2, 3, 4, 5]) await client.create(CONFIG_MAPS, configMap(`page-${index}`, {}));
    const page = await client.list(CONFIG_MAPS, { namespace: 'default', limit: 2 });
    assert.equal(page.items.length, 2);
    assert.equal(page.items[0]?.kind, 'ConfigMap');
    assert.ok(page.metadata.continue);
    const all = await client.listAll(CONFIG_MAPS, { namespace: 'default', limit: 2 });
    assert.equal(all.filter(({ metadata }) => metadata.name.startsWith('page-')).length, 5);

    const { metadata } = await client.list(CONFIG_MAPS, { namespace: 'default' });
    const options = { namespace: 'default', resourceVersion: metadata.resourceVersion, timeoutSeconds: 30 };
    await client.create(CONFIG_MAPS, configMap('watched', {}));
    for await (const event of client.watch(CONFIG_MAPS, options)) {
      assert.equal(event.type, 'ADDED');
      assert.equal(event.object.metadata.name, 'watched');
      break;
    }
  });

  it('says which field was refused, and why', async () => {
    const bad = { ...configMap('Bad_Name', {}) };
    await assert.rejects(plane.client.create(CONFIG_MAPS, bad), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 422);
      assert.equal(error.reason, 'Invalid');
      assert.equal(error.causes[0]?.field, 'metadata.name');
      return true;
    });
  });

  it('knows what is refused for its size, by the API server or by etcd', async () => {
    for (const [megabytes, answer] of [
      [1.8, /etcdserver: request is too large/],
      [4, /Request entity too large/],
    ] as const) {
      const applied = plane.client.apply(DEPLOYMENTS, deployment('x'.repeat(megabytes * 1e6)), {
        fieldManager: 'test',
      });
      await assert.rejects(applied, (error: Error) => answer.test(error.message) && isRefusal(error));
    }
  });

  it('is only what its certificate says it is', async () => {
    const client = new Client(await plane.connectionFor('nobody'));
    await assert.rejects(client.list(CONFIG_MAPS), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 403);
      assert.match(error.message, /"nobody" cannot list/);
      return true;
    });
    client.close();
  });

  it('finds the cluster in a kubeconfig', async () => {
    const client = new Client(await loadConnection({ kubeconfig: await plane.kubeconfig() }));
    assert.ok((await client.list(CONFIG_MAPS, { limit: 1 })).items);
    client.close();
  });

  it('acts as whom the kubeconfig names', async () => {
    const kubeconfig = await plane.kubeconfig({ ...plane.connection, namespace: 'acting' });
    const config = JSON.parse(await readFile(kubeconfig, 'utf8')) as { users: { user: Record<string, unknown> }[] };
    Object.assign(config.users[0]?.user ?? {}, {
      as: 'jane',
      'as-uid': '42',
      'as-groups': ['dev', 'ops'],
      'as-user-extra': { 'example.com/team': ['a', 'b'] },
    });
    await writeFile(kubeconfig, JSON.stringify(config));
    const client = new Client(await loadConnection({ kubeconfig }));
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: { name: '' } };
    const { status } = await client.create(SELF_SUBJECT_REVIEWS, review);
    assert.deepEqual(status, {
      userInfo: {
        username: 'jane',
        uid: '42',
        groups: ['dev', 'ops', 'system:authenticated'],
        extra: { 'example.com/team': ['a', 'b'] },
      },
    });
    client.close();
  });

  it('works again after the API server has been restarted', async () => {
    await plane.stopApiServer();
    plane.startApiServer();
    await plane.ready();
    assert.ok(await plane.client.list(CONFIG_MAPS, { limit: 1 }));
  });
});

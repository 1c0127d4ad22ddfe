import assert from 'node:assert/strict';
import { OWNED_KINDS } from '../../../../../packages/api/kinds.ts';
import { MANAGED_BY_LABEL } from '../../../../../packages/api/labels.ts';
import { INSTANCE_LABEL } from '../../../../../packages/render/names.ts';
import { render } from '../../../../../packages/render/render.ts';
import { Applier, ForeignObjectError } from '../../../../../packages/kube/apply/applier.ts';
import { isConflict } from '../../../../../packages/kube/client/api-error.ts';
import { Client } from '../../../../../packages/kube/client/client.ts';
import type { KubernetesObject } from '../../../../../packages/kube/object.ts';
import { OwnedKinds } from '../../../../../packages/kube/apply/owned.ts';
import { ControlPlane } from '../../../../support/kubernetes/control-plane.ts';
import { optionalCrd } from '../../../../support/kubernetes/optional-apis.ts';
import { createNamespace, installCrd, ownedType } from '../../../../support/operator/stack-api.ts';
import { contextWith, stackWith } from '../../../../support/people/stacks.ts';

/** Something of every kind. */
const EVERYTHING = stackWith({
  gateway: { ingress: { enabled: true, hosts: [{ host: 'models.example.com' }] }, exportPrometheusMetrics: true },
  applications: {
    chat: {
      engine: 'vllm',
      model: { path: 'qwen' },
      modelCache: { size: '1Gi' },
      scaling: { enabled: true, spec: { triggers: [{ type: 'cpu', metadata: { value: '50' } }] } },
      replicaCount: 2,
    },
  },
});

describe('the applier against a real API server', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let client: Client;
  let requests = 0;
  const { objects } = render(EVERYTHING, contextWith());

  before(async () => {
    plane = await ControlPlane.start();
    client = new Client(plane.connection, { observe: () => (requests += 1) });
    await createNamespace(plane.client, 'team-a');
    for (const name of ['scaledObject', 'serviceMonitor'] as const) {
      await installCrd(plane.client, await optionalCrd(name));
    }
  });
  after(async () => {
    client.close();
    await plane.stop();
  });

  /** One that has seen nothing, as in the moment after its start. */
  function applierOf(uid: string): (object: KubernetesObject) => Promise<unknown> {
    const nothing = (): undefined => undefined;
    const owned = new OwnedKinds({
      client,
      kinds: OWNED_KINDS,
      labelSelector: '',
      fieldManager: 'operator',
      ownerOf: nothing,
      detailsOf: nothing,
      onOwner: nothing,
      onWritten: nothing,
      onServed: nothing,
    });
    const purposeOf = ({ metadata }: KubernetesObject): string | undefined => metadata.labels?.[INSTANCE_LABEL];
    const names = { fieldManager: 'operator', makerLabel: MANAGED_BY_LABEL, ownerNoun: 'this owner' };
    const applier = new Applier({ client, owned, ...names, purposeOf, remedyFor: () => 'Remove it.' });
    const owner = { apiVersion: 'x/v1', kind: 'Owner', name: uid, uid, controller: true };
    return (object) => applier.apply(object, { owner, kept: false });
  }

  it('makes an object of every kind with one request', async () => {
    assert.deepEqual(new Set(objects.map(({ kind }) => kind)), new Set(OWNED_KINDS.map(({ type }) => type.kind)));
    const apply = applierOf('first');
    requests = 0;
    for (const object of objects) assert.equal(await apply(object), 'applied');
    assert.equal(requests, objects.length);
  });

  it('touches nothing that another has made meanwhile, of no kind', async () => {
    const apply = applierOf('second');
    for (const object of objects) {
      const before = await plane.client.get(ownedType(object.kind), object.metadata);
      await assert.rejects(apply(object), ForeignObjectError);
      assert.deepEqual(await plane.client.get(ownedType(object.kind), object.metadata), before);
    }
  });

  it('meets a conflict when it means an object that has gone, or whose name another has', async () => {
    const type = ownedType('ConfigMap');
    const fieldManager = 'operator';
    const metadata = { name: 'replaced', namespace: 'team-a', uid: '11111111-2222-3333-4444-555555555555' };
    const meant = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { by: 'us' } };
    await assert.rejects(client.apply(type, meant, { fieldManager, force: true }), isConflict);
    const other = { ...meant, metadata: { name: 'replaced', namespace: 'team-a' }, data: { by: 'them' } };
    await plane.client.create(type, other);
    await assert.rejects(client.apply(type, meant, { fieldManager, force: true }), isConflict);
    assert.deepEqual((await plane.client.get(type, metadata))['data'], { by: 'them' });
  });
});

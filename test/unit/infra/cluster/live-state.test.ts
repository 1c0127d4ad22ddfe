import assert from 'node:assert/strict';
import { issueCa } from '../../../../components/certificates/certificate.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject, ObjectRef, ResourceType } from '../../../../packages/kube/object.ts';
import { readLiveState } from '../../../../infra/cluster/live-state.ts';

type Objects = Readonly<Record<string, readonly KubernetesObject[]>>;

/** A cluster that has these objects, and no resource beside theirs. */
function cluster(objects: Objects): Parameters<typeof readLiveState>[0] {
  const all = ({ plural }: ResourceType): readonly KubernetesObject[] => {
    const found = objects[plural];
    if (found === undefined) throw new ApiError(`GET ${plural}`, 404, {});
    return found;
  };
  return {
    listAll: (type) => Promise.resolve().then(() => [...all(type)]),
    get: (type: ResourceType, { name }: ObjectRef) =>
      Promise.resolve().then(() => {
        const object = all(type).find(({ metadata }) => metadata.name === name);
        if (object === undefined) throw new ApiError(`GET ${name}`, 404, {});
        return object;
      }),
  };
}

function object(kind: string, name: string, rest: object = {}): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata: { name }, ...rest };
}

const PACKAGE = 'inference-stack-operator';

/** An extension as this program makes them. */
function extension(name: string, packageName: string, version?: string): KubernetesObject {
  const made = byOthers(name, packageName, version);
  return { ...made, metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' } } };
}

function byOthers(name: string, packageName: string, version?: string): KubernetesObject {
  return object('ClusterExtension', name, {
    spec: { source: { catalog: { packageName } } },
    status: version === undefined ? {} : { install: { bundle: { name: `${packageName}.v${version}`, version } } },
  });
}

const EMPTY: Objects = { customresourcedefinitions: [], mutatingwebhookconfigurations: [] };

describe('what the program reads of a cluster', () => {
  it('is little for a cluster that has neither OLM nor our API', async () => {
    assert.deepEqual(await readLiveState(cluster(EMPTY)), {
      known: true,
      controlPlane: [],
      definitions: [],
      operators: [],
      stacks: [],
    });
  });

  it('tells whose OLM it is by the labels of its CRD and of its controller', async () => {
    const labels = { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' };
    const name = 'clusterextensions.olm.operatorframework.io';
    const crd = object('CustomResourceDefinition', name, { metadata: { name, labels } });
    const left = { ...EMPTY, customresourcedefinitions: [crd] };
    assert.deepEqual((await readLiveState(cluster(left))).olm, { labels, definition: crd });
    const controller = object('Deployment', 'operator-controller-controller-manager');
    const others = { ...left, deployments: [controller] };
    assert.deepEqual((await readLiveState(cluster(others))).olm, { labels, definition: crd, controllerLabels: {} });
  });

  it('tells which nodes OLM’s controller asks for', async () => {
    const crd = object('CustomResourceDefinition', 'clusterextensions.olm.operatorframework.io');
    const selector = async (pod: object): Promise<unknown> => {
      const spec = { template: { spec: pod } };
      const deployments = [object('Deployment', 'operator-controller-controller-manager', { spec })];
      return (await readLiveState(cluster({ ...EMPTY, customresourcedefinitions: [crd], deployments }))).olm
        ?.nodeSelector;
    };
    assert.deepEqual(await selector({ nodeSelector: { pool: 'system' } }), { pool: 'system' });
    assert.deepEqual(await selector({}), {});
  });

  it('finds somebody else’s OLM beside ours, in whatever namespace', async () => {
    const labels = { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' };
    const controller = 'operator-controller-controller-manager';
    const ours = object('Deployment', controller, {
      metadata: { name: controller, namespace: 'olmv1-system', labels },
    });
    const theirs = object('Deployment', controller, { metadata: { name: controller, namespace: 'platform' } });
    const name = 'clusterextensions.olm.operatorframework.io';
    const crd = object('CustomResourceDefinition', name, { metadata: { name, labels } });
    const asked: unknown[] = [];
    const client = cluster({ ...EMPTY, customresourcedefinitions: [crd], deployments: [ours, theirs] });
    const state = await readLiveState({
      ...client,
      listAll: (type, options) => {
        if (type.plural === 'deployments') asked.push(options);
        return client.listAll(type, options);
      },
    });
    assert.deepEqual(state.olm, { labels, definition: crd, controllerLabels: {} });
    assert.deepEqual(asked, [{ fieldSelector: `metadata.name=${controller}` }]);
  });

  it('knows the highest version of OLM that has run, also while a later rollout is stuck', async () => {
    const annotation = 'inference-stack-fleet/olm-version';
    const name = 'operator-controller-controller-manager';
    const crd = object('CustomResourceDefinition', 'clusterextensions.olm.operatorframework.io');
    const version = async (
      { written, image, reason }: { written: string; image: string; reason: string },
      ofExtension: string,
    ): Promise<unknown> => {
      const deployment = object('Deployment', name, {
        metadata: { name, generation: 2, annotations: { [annotation]: written } },
        spec: { template: { spec: { containers: [{ image: `registry.example/operator-controller:${image}` }] } } },
        status: { observedGeneration: 2, conditions: [{ type: 'Progressing', reason }] },
      });
      const annotations = { [annotation]: ofExtension };
      const clusterextensions = [object('ClusterExtension', 'x', { metadata: { name: 'x', annotations } })];
      const objects = { ...EMPTY, customresourcedefinitions: [crd], deployments: [deployment], clusterextensions };
      return (await readLiveState(cluster(objects))).olm?.version;
    };
    const [ready, stuck] = ['NewReplicaSetAvailable', 'ProgressDeadlineExceeded'] as const;
    assert.equal(await version({ written: '1.11.0', image: 'v1.11.0', reason: stuck }, '1.11.0'), '1.11.0');
    // An upgrade that never became ready, and so can be taken back.
    assert.equal(await version({ written: '1.11.0', image: 'v1.11.0', reason: stuck }, '1.10.0'), '1.10.0');
    assert.equal(await version({ written: '1.10.0', image: 'v1.11.0', reason: ready }, '1.10.0'), '1.11.0');
    // Somebody's own numbers.
    assert.equal(await version({ written: '1.10.0', image: '2026.11.0', reason: ready }, '1.10.0'), '1.10.0');
  });

  it('knows the version of OLM once its newest pods have been ready, by what this program or a release wrote', async () => {
    const name = 'operator-controller-controller-manager';
    const crd = object('CustomResourceDefinition', 'clusterextensions.olm.operatorframework.io');
    const version = async (annotations: Record<string, string>, image: string, reason: string): Promise<unknown> => {
      const deployment = object('Deployment', name, {
        metadata: { name, generation: 2, annotations },
        spec: { template: { spec: { containers: [{ image }] } } },
        status: { observedGeneration: 2, conditions: [{ type: 'Progressing', reason }] },
      });
      const objects = { ...EMPTY, customresourcedefinitions: [crd], deployments: [deployment] };
      return (await readLiveState(cluster(objects))).olm?.version;
    };
    const ours = { 'inference-stack-fleet/olm-version': '1.10.0' };
    const released = 'quay.io/operator-framework/operator-controller:v1.11.0';
    const pinned = `quay.io/operator-framework/operator-controller@sha256:${'a'.repeat(64)}`;
    assert.equal(await version(ours, pinned, 'NewReplicaSetAvailable'), '1.10.0');
    assert.equal(await version({}, released, 'NewReplicaSetAvailable'), '1.11.0');
    assert.equal(await version({}, pinned, 'NewReplicaSetAvailable'), undefined);
    assert.equal(await version(ours, pinned, 'ReplicaSetUpdated'), undefined);
  });

  it('asks for the nodes of the control plane alone, and goes on where nobody may list them', async () => {
    const label = 'node-role.kubernetes.io/control-plane';
    const taints = [{ key: label, effect: 'NoSchedule' }];
    const node = object('Node', 'a', { metadata: { name: 'a', labels: { [label]: '' } }, spec: { taints } });
    const asked: unknown[] = [];
    const client = cluster({ ...EMPTY, nodes: [node] });
    const state = await readLiveState({
      ...client,
      listAll: (type, options) => {
        if (type.plural === 'nodes') asked.push(options);
        return client.listAll(type, options);
      },
    });
    assert.deepEqual(state.controlPlane, [{ labels: { [label]: '' }, taints }]);
    assert.deepEqual(asked, [{ labelSelector: label }]);
    const refusing = await readLiveState({
      ...client,
      listAll: (type, options) =>
        type.plural === 'nodes' ? Promise.reject(new ApiError('GET nodes', 403, {})) : client.listAll(type, options),
    });
    assert.equal('controlPlane' in refusing, false);
  });

  it('tells installed majors from those on their way, and ours from those of others', async () => {
    const state = await readLiveState(
      cluster({
        ...EMPTY,
        clusterextensions: [
          extension(`${PACKAGE}-v1`, PACKAGE, '1.2.0'),
          extension(`${PACKAGE}-v2`, PACKAGE),
          extension('argocd', 'argocd-operator', '0.6.0'),
        ],
      }),
    );
    assert.deepEqual(
      state.operators.map(({ extension, major, bundle }) => [extension, major, bundle?.name, bundle?.version.version]),
      [
        [`${PACKAGE}-v1`, 1, `${PACKAGE}.v1.2.0`, '1.2.0'],
        [`${PACKAGE}-v2`, 2, undefined, undefined],
      ],
    );
  });

  it('keeps operators that somebody else installed apart from those that a run may remove', async () => {
    const state = await readLiveState(
      cluster({
        ...EMPTY,
        clusterextensions: [
          extension(`${PACKAGE}-v1`, PACKAGE, '1.2.0'),
          byOthers(`${PACKAGE}-v3`, PACKAGE),
          byOthers('by-hand', PACKAGE, '4.0.1'),
          byOthers('on-its-way', PACKAGE),
          byOthers('argocd', 'argocd-operator', '0.6.0'),
        ],
      }),
    );
    assert.deepEqual(
      state.operators.map(({ major, managed }) => [major, managed]),
      [
        [1, true],
        [3, false],
        [4, false],
      ],
    );
  });

  it('knows when OLM’s certificates expire, without reading a private key', async () => {
    const ca = await issueCa({ commonName: 'ca', days: 10, now: new Date('2026-01-01T00:00:00Z') });
    const caBundle = Buffer.from(ca.cert).toString('base64');
    const webhook = object('MutatingWebhookConfiguration', 'catalogd', { webhooks: [{ clientConfig: { caBundle } }] });
    const state = await readLiveState(cluster({ ...EMPTY, mutatingwebhookconfigurations: [webhook] }));
    assert.deepEqual(state.certificatesExpire, new Date('2026-01-11T00:00:00Z'));
  });
});

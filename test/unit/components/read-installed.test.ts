import assert from 'node:assert/strict';
import { readInstalled } from '../../../components/read-installed.ts';
import { listOf, withFakeApi } from '../../support/kubernetes/fake-api.ts';

/** An operator that OLM has installed, as the API server tells of it. */
const EXTENSION = {
  metadata: {
    name: 'inference-stack-operator-v1',
    labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' },
  },
  spec: { source: { catalog: { packageName: 'inference-stack-operator' } } },
  status: { install: { bundle: { name: 'inference-stack-operator.v1.0.0', version: '1.0.0' } } },
};

describe('what components have to know of a cluster', () => {
  it('includes the installed bundle of every operator, so that the next plan begins with it', async () => {
    const answers = { '/apis/olm.operatorframework.io/v1/clusterextensions': listOf(EXTENSION) };
    const { operators } = await withFakeApi(answers, async (kubeconfig) => readInstalled({ kubeconfig }));
    assert.deepEqual(
      operators.map(({ extension, bundle }) => ({ extension, version: bundle?.version.version })),
      [{ extension: 'inference-stack-operator-v1', version: '1.0.0' }],
    );
  });

  it('includes the nodes of the control plane, unless nobody may list nodes', async () => {
    const labels = { 'node-role.kubernetes.io/control-plane': '' };
    const read = async (nodes: object | number): Promise<unknown> =>
      withFakeApi({ '/api/v1/nodes': nodes }, async (kubeconfig) => (await readInstalled({ kubeconfig })).controlPlane);
    assert.deepEqual(await read(listOf({ metadata: { name: 'n1', labels } })), [{ labels, taints: [] }]);
    assert.equal(await read(403), undefined);
  });
});

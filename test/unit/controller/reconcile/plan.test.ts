import assert from 'node:assert/strict';
import { keepPod } from '../../../../controller/src/reconcile/pod-view.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { plan } from '../../../../controller/src/reconcile/steps/plan.ts';
import { GPU, podLabels } from '../../../support/cluster-objects.ts';
import { stackWith } from '../../../support/stacks.ts';

const NODE = {
  resourceVersion: 1,
  name: 'a',
  labels: {},
  taints: [],
  ready: true,
  cordoned: false,
  devices: { [GPU]: 1 },
};

/** What is said of GPUs beside these pods, where there is one GPU and an application that wants one pod with one. */
function gpusAvailable(...pods: readonly { readonly node?: string; readonly leaving?: boolean }[]): string | undefined {
  const stack = stackWith({ applications: { llm: { rollout: 'surge', gpu: { count: 1 } } } });
  const views = pods.flatMap(({ node, leaving = false }, index) => {
    const containers = [{ resources: { limits: { [GPU]: '1' } } }];
    const gone = leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
    const metadata = { name: `llm-${index}`, namespace: 'team-a', labels: podLabels('chat', 'llm'), ...gone };
    return keepPod({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: node, containers } }) ?? [];
  });
  const conditions: State['conditions'] = new Map();
  const world = {
    capabilities: () => ({ keda: false, serviceMonitor: false }),
    nodes: new Map([[NODE.name, NODE]]),
    pods: { values: () => views, byIndex: () => views },
    owned: { get: () => undefined },
    applier: { isApplied: () => true },
  };
  plan({ stack, draft: {}, conditions } as unknown as State, world as unknown as World);
  return conditions.get('GPUsAvailable')?.status;
}

describe('whether GPUs are available', () => {
  it('is so when every pod has its own, and when there is one for the pod that has none yet', () => {
    assert.equal(gpusAvailable({ node: 'a' }), 'True');
    assert.equal(gpusAvailable({}), 'True');
  });

  it('is not so when a rollout adds a pod that finds none, although the old pod has its own', () => {
    assert.equal(gpusAvailable({ node: 'a' }, {}), 'False');
  });

  it('is so when the new pod only waits for the end of the old one', () => {
    assert.equal(gpusAvailable({ node: 'a', leaving: true }, {}), 'True');
  });
});

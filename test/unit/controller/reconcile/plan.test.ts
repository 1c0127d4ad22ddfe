import assert from 'node:assert/strict';
import { keepPod } from '../../../../controller/src/reconcile/pod-view.ts';
import { NodeIndex } from '../../../../controller/src/reconcile/placement/node-index.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { plan } from '../../../../controller/src/reconcile/steps/plan.ts';
import { Turns } from '../../../../controller/src/runtime/turns.ts';
import { GPU, podLabels } from '../../../support/cluster-objects.ts';
import { counting } from '../../../support/counting.ts';
import { devicesOf, nodeWith, podOn, PRODUCT } from '../../../support/nodes.ts';
import { stackWith } from '../../../support/stacks.ts';

const NODE = nodeWith('a', 1);

/** What is said of GPUs beside these pods, where there is one GPU and an application that wants one pod with one. */
async function gpusAvailable(
  ...pods: readonly { readonly node?: string; readonly leaving?: boolean }[]
): Promise<string | undefined> {
  const stack = stackWith({ applications: { llm: { rollout: 'surge', gpu: { count: 1 } } } });
  const views = pods.flatMap(({ node, leaving = false }, index) => {
    const containers = [{ resources: { limits: { [GPU]: '1' } } }];
    const gone = leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
    const metadata = { name: `llm-${index}`, namespace: 'team-a', labels: podLabels('chat', 'llm'), ...gone };
    return keepPod({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: node, containers } }) ?? [];
  });
  const conditions: State['conditions'] = new Map();
  const world = {
    turns: new Turns(),
    capabilities: () => ({ keda: false, serviceMonitor: false }),
    nodes: () => new NodeIndex([NODE]),
    devices: devicesOf(views),
    pods: { byIndex: () => views },
    owned: { get: () => undefined },
    applier: { isApplied: () => true },
  };
  await plan({ stack, draft: {}, conditions, misplaced: new Map() } as unknown as State, world as unknown as World);
  return conditions.get('GPUsAvailable')?.status;
}

describe('whether GPUs are available', () => {
  it('is so when every pod has its own, and when there is one for the pod that has none yet', async () => {
    assert.equal(await gpusAvailable({ node: 'a' }), 'True');
    assert.equal(await gpusAvailable({}), 'True');
  });

  it('is not so when a rollout adds a pod that finds none, although the old pod has its own', async () => {
    assert.equal(await gpusAvailable({ node: 'a' }, {}), 'False');
  });

  it('is so when the new pod only waits for the end of the old one', async () => {
    assert.equal(await gpusAvailable({ node: 'a', leaving: true }, {}), 'True');
  });
});

describe('what keeps pods from every node', () => {
  it('is found out for the gateway and for applications whose pods the scheduler finds no node for', async () => {
    const nodeSelector = { [PRODUCT]: 'a100' };
    const stack = stackWith({
      gateway: { nodeSelector },
      applications: { llm: { nodeSelector }, other: { nodeSelector } },
    });
    const pods = ['gateway', 'application-llm'].map((component) =>
      podOn(undefined, 0, { component, unschedulable: true }),
    );
    const misplaced: State['misplaced'] = new Map();
    const world = {
      turns: new Turns(),
      capabilities: () => ({ keda: false, serviceMonitor: false }),
      nodes: () => new NodeIndex([NODE]),
      devices: devicesOf([]),
      pods: { byIndex: () => pods },
      owned: { get: () => undefined },
      applier: { isApplied: () => true },
    };
    await plan({ stack, draft: {}, conditions: new Map(), misplaced } as unknown as State, world as unknown as World);
    const lack = `misses a place for 1 pod: no node has the label ${PRODUCT}=a100; there is ${PRODUCT}=A100.`;
    assert.deepEqual(Object.fromEntries(misplaced), {
      gateway: `The gateway ${lack}`,
      'application-llm': `Application llm ${lack}`,
    });
  });
});

/** How often something is read of pods and Deployments when a stack of so many applications, with a pod each, is planned. */
async function readsOf(applications: number): Promise<number> {
  const counter = { reads: 0 };
  const names = Array.from({ length: applications }, (_, index) => `app-${index}`);
  const stack = stackWith({ applications: Object.fromEntries(names.map((name) => [name, { gpu: { count: 1 } }])) });
  const pods = names.map((name) => counting(podOn('a', 1, { component: `application-${name}` }), counter));
  const world = {
    turns: new Turns(),
    capabilities: () => ({ keda: false, serviceMonitor: false }),
    nodes: () => new NodeIndex([nodeWith('a', 8), nodeWith('b', 8)]),
    devices: devicesOf([]),
    pods: { byIndex: () => pods },
    owned: { get: () => void (counter.reads += 1) },
    applier: { isApplied: () => true },
  };
  await plan(
    { stack, draft: {}, conditions: new Map(), misplaced: new Map() } as unknown as State,
    world as unknown as World,
  );
  return counter.reads;
}

describe('the work of planning a stack', () => {
  it('doubles with its applications and their pods', async () => {
    assert.equal(await readsOf(40), 2 * (await readsOf(20)));
  });
});

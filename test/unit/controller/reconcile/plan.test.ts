import assert from 'node:assert/strict';
import { Interests } from '../../../../controller/src/reconcile/interests.ts';
import { keepPod } from '../../../../controller/src/reconcile/pod-view.ts';
import { interestsOf } from '../../../../controller/src/reconcile/reconciler.ts';
import { GPU, podLabels } from '../../../support/kubernetes/cluster-objects.ts';
import { counting } from '../../../support/operator/counting.ts';
import { nodeWith, PRODUCT } from '../../../support/kubernetes/nodes.ts';
import { planned, podOf } from '../../../support/operator/planning.ts';

const NODE = nodeWith('a', 1);

/** What is said of GPUs beside these pods, where there is one GPU and an application that wants one pod with one. */
async function gpusAvailable(
  ...pods: readonly { readonly node?: string; readonly leaving?: boolean }[]
): Promise<string | undefined> {
  const spec = { applications: { llm: { rollout: 'surge', gpu: { count: 1 } } } } as const;
  const views = pods.flatMap(({ node, leaving = false }, index) => {
    const containers = [{ resources: { limits: { [GPU]: '1' } } }];
    const gone = leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
    const metadata = { name: `llm-${index}`, namespace: 'team-a', labels: podLabels('chat', 'llm'), ...gone };
    return keepPod({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: node, containers } }) ?? [];
  });
  const { conditions } = await planned({ spec, nodes: [NODE], pods: views });
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
    const spec = { gateway: { nodeSelector }, applications: { llm: { nodeSelector }, other: { nodeSelector } } };
    const waiting = { unschedulableSince: 0 };
    const pods = [podOf('llm', undefined, 0, waiting), podOf('', undefined, 0, { ...waiting, component: 'gateway' })];
    const { misplaced } = await planned({ spec, nodes: [NODE], pods });
    const lack = `has no node for 1 pod: no node has the label ${PRODUCT}=a100; nodes have ${PRODUCT}=A100.`;
    assert.deepEqual(Object.fromEntries(misplaced), {
      gateway: `The gateway ${lack}`,
      'application-llm': `Application llm ${lack}`,
    });
  });

  it('is looked at again when nodes change, also where no application asks for GPUs', async () => {
    const gateway = { nodeSelector: { [PRODUCT]: 'a100' } };
    const pods = [podOf('', undefined, 0, { component: 'gateway', unschedulableSince: 0 })];
    const interests = new Interests({ wakeMs: 1, tellMs: 2 });
    interests.set('chat', interestsOf(await planned({ spec: { gateway }, nodes: [NODE], pods })));
    const told: string[] = [];
    interests.wake('any', (key) => told.push(key));
    assert.deepEqual(told, ['chat']);
  });
});

/** How often something is read of pods when a stack of so many applications, with a pod each, is planned. */
async function readsOf(applications: number): Promise<number> {
  const counter = { reads: 0 };
  const names = Array.from({ length: applications }, (_, index) => `app-${index}`);
  const affinity = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: {} }],
    },
  };
  const spec = { applications: Object.fromEntries(names.map((name) => [name, { gpu: { count: 1 }, affinity }])) };
  const pods = names.map((name) => counting(podOf(name, 'a', 1), counter));
  const recorded = Object.fromEntries(names.map((name) => [name, 'surge' as const]));
  await planned({ spec, nodes: [nodeWith('a', 8), nodeWith('b', 8)], pods, recorded });
  return counter.reads;
}

describe('the work of planning a stack', () => {
  it('doubles with its applications and their pods', async () => {
    assert.equal(await readsOf(40), 2 * (await readsOf(20)));
  });
});

describe('what a spec leaves open', () => {
  const odd = { toString: 1, valueOf: 1 };
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const nodes = (expression: object): object => ({
    affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } } },
  });
  const SHAPES: Readonly<Record<string, object>> = {
    'a key of node affinity': nodes({ key: odd, operator: 'In', values: ['x'] }),
    'a value of node affinity': nodes({ key: 'a', operator: 'In', values: [odd] }),
    'an amount of a resource': { resources: { limits: { 'x/gpu': odd } } },
    'a key of a spread constraint': { topologySpreadConstraints: [{ topologyKey: odd }] },
    'a key of anti-affinity': {
      affinity: { podAntiAffinity: { [required]: [{ topologyKey: odd, labelSelector: {} }] } },
    },
    'a protocol': { ports: [{ containerPort: 1, hostPort: 1, protocol: odd }] },
    'a port': { ports: [{ name: 'x', containerPort: odd }], livenessProbe: { httpGet: { port: 'x' } } },
  };
  for (const [title, application] of Object.entries(SHAPES)) {
    it(`may be ${title} that is no text, and the API server says so, not a crash`, async () => {
      const spec = { applications: { llm: application } };
      const pods = [podOf('llm', 'a', 0)];
      const { rollouts } = await planned({ spec, nodes: [NODE], pods, recorded: { llm: 'surge' } });
      assert.ok(rollouts.choices.has('llm'));
    });
  }

  it('may be a label called like something that every object has', async () => {
    const spec = { applications: { llm: { nodeSelector: { constructor: 'x' } } } };
    const pods = [podOf('llm', undefined, 0, { unschedulableSince: 0 })];
    const { misplaced } = await planned({ spec, nodes: [NODE], pods });
    const lack = 'Application llm has no node for 1 pod: 1 node lacks the label constructor=x.';
    assert.equal(misplaced.get('application-llm'), lack);
  });
});

/** How often planning asks whether its turn is over. */
async function turnsOf(applications: number): Promise<number> {
  let asked = 0;
  const yieldIfDue = (): undefined => void (asked += 1);
  const names = Array.from({ length: applications }, (_, index) => `app-${index}`);
  const spec = { applications: Object.fromEntries(names.map((name) => [name, { gpu: { count: 1 } }])) };
  const pods = names.map((name) => podOf(name, 'a', 1));
  const recorded = Object.fromEntries(names.map((name) => [name, 'surge' as const]));
  await planned({ spec, nodes: [nodeWith('a', 8)], pods, recorded, turn: { yieldIfDue } });
  return asked;
}

describe('planning in turns', () => {
  it('asks after each application, when it renders, counts, explains, and decides', async () => {
    assert.ok((await turnsOf(40)) - (await turnsOf(20)) >= 5 * 20);
  });
});

import assert from 'node:assert/strict';
import type { OpenObject } from '../../../../../packages/lib/json.ts';
import type { Application } from '../../../../../packages/api/types.ts';
import type { NodeView } from '../../../../../packages/kube/placement/node-view.ts';
import { NodeIndex } from '../../../../../packages/kube/placement/node-index.ts';
import type { PodView } from '../../../../../controller/src/reconcile/pod-view.ts';
import { forbiddenFor } from '../../../../../controller/src/reconcile/rollout/forbidden.ts';
import { Neighbours } from '../../../../../controller/src/reconcile/rollout/neighbours.ts';
import { counting } from '../../../../support/operator/counting.ts';
import { nodeWith } from '../../../../support/kubernetes/nodes.ts';
import { planned, podOf } from '../../../../support/operator/planning.ts';

const HOSTNAME = 'kubernetes.io/hostname';

function node(name: string, gpus: number, zone = 'z'): NodeView {
  return nodeWith(name, gpus, { labels: { [HOSTNAME]: name, zone } });
}

/** One GPU is free beside the pod of the application `llm` on `a`, and none on `b`. */
const TIGHT = [node('a', 2), node('b', 0)];
/** And here is one on `b` as well. */
const ROOMY = [node('a', 2), node('b', 1)];

/** How a pod is replaced, and why, of an application `llm` that has one pod on the node `a`. */
async function choice(
  application: Application,
  nodes: readonly NodeView[],
  more: { pods?: readonly PodView[]; applications?: Record<string, Application> } = {},
): Promise<string> {
  const spec = { applications: { llm: { gpu: { count: 1 }, ...application }, ...more.applications } };
  const pods = more.pods ?? [podOf('llm', 'a', 1)];
  const { rollouts } = await planned({ spec, nodes, pods, recorded: { llm: 'surge' } });
  const { strategy = '', reason = '' } = rollouts.choices.get('llm') ?? {};
  return `${strategy}: ${reason}`;
}

describe('a pod beside which no other of its kind may run', () => {
  const own = { labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'application-llm' } } };

  function apart(term: OpenObject): Application {
    const required = [{ topologyKey: HOSTNAME, ...term }];
    return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } };
  }

  it('ends before the new one starts, unless there is room elsewhere', async () => {
    assert.equal(
      await choice(apart(own), TIGHT),
      'recreate: Its pod anti-affinity keeps a new pod from every node with room, so a change ends the old pod before the new one starts.',
    );
    assert.match(await choice(apart(own), ROOMY), /^surge: /);
    assert.match(await choice(apart({ ...own, topologyKey: 'zone' }), ROOMY), /^recreate: /);
    const elsewhere = [node('a', 2), node('b', 1, 'y')];
    assert.match(await choice(apart({ ...own, topologyKey: 'zone' }), elsewhere), /^surge: /);
    assert.match(await choice(apart({ ...own, topologyKey: 'rack' }), TIGHT), /^surge: /, 'no node has the label');
  });

  it('is one whose own labels the anti-affinity selects', async () => {
    const everything = { labelSelector: {} };
    const expression = { key: 'app.kubernetes.io/instance', operator: 'In', values: ['chat'] };
    for (const term of [everything, { labelSelector: { matchExpressions: [expression] } }])
      assert.match(await choice(apart(term), TIGHT), /^recreate: /);
    const others = { labelSelector: { matchLabels: { app: 'noisy' } } };
    for (const term of [others, {}, { ...own, namespaces: ['elsewhere'] }])
      assert.match(await choice(apart(term), TIGHT), /^surge: /);
    assert.match(await choice(apart({ ...own, namespaces: ['team-a'] }), TIGHT), /^recreate: /);
    assert.match(await choice(apart({ ...own, namespaceSelector: {} }), TIGHT), /^recreate: /);
  });

  it('is not one of an earlier configuration, where the anti-affinity leaves those out', async () => {
    assert.match(await choice(apart({ ...own, matchLabelKeys: ['pod-template-hash'] }), TIGHT), /^surge: /);
    assert.match(await choice(apart({ ...own, mismatchLabelKeys: ['pod-template-hash'] }), TIGHT), /^recreate: /);
    const component = ['app.kubernetes.io/component'];
    assert.match(await choice(apart({ labelSelector: {}, matchLabelKeys: component }), TIGHT), /^recreate: /);
    assert.match(await choice(apart({ labelSelector: {}, mismatchLabelKeys: component }), TIGHT), /^surge: /);
  });

  it('is also one of another application of the stack', async () => {
    const stack = { labelSelector: { matchLabels: { 'app.kubernetes.io/instance': 'chat' } } };
    const pods = [podOf('llm', 'a', 1), podOf('other', 'b', 0)];
    assert.match(await choice(apart(stack), ROOMY, { pods, applications: { other: {} } }), /^recreate: /);
    assert.match(await choice(apart(own), ROOMY, { pods, applications: { other: {} } }), /^surge: /);
  });

  it('ends before the new one starts also without GPUs', async () => {
    const spec = { applications: { llm: apart(own) } };
    const scene = { spec, pods: [podOf('llm', 'a', 0)], recorded: { llm: 'surge' } as const };
    const strategy = async (...nodes: NodeView[]): Promise<unknown> =>
      (await planned({ ...scene, nodes })).rollouts.choices.get('llm')?.strategy;
    assert.equal(await strategy(node('a', 0)), 'recreate');
    assert.equal(await strategy(node('a', 0), node('b', 0)), 'surge');
  });
});

describe('a pod that takes a port of its node', () => {
  it('ends before the new one starts, unless there is room elsewhere', async () => {
    const ports = [{ containerPort: 3000, hostPort: 3000 }];
    assert.match(
      await choice({ ports }, TIGHT),
      /^recreate: Its host port keeps a new pod from every node with room, so/,
    );
    assert.match(await choice({ ports }, ROOMY), /^surge: /);
    assert.match(await choice({ ports: [{ containerPort: 3000 }] }, TIGHT), /^surge: /);
    const pods = [podOf('llm', 'a', 1), podOf('other', 'b', 0)];
    assert.match(await choice({ ports }, ROOMY, { pods, applications: { other: { ports } } }), /^recreate: /);
    const sidecar = { name: 'proxy', restartPolicy: 'Always', ports };
    assert.match(await choice({ initContainers: [sidecar] }, TIGHT), /^recreate: Its host port/);
    assert.match(await choice({ initContainers: [{ name: 'proxy', ports }] }, TIGHT), /^surge: /);
    const udp = [{ containerPort: 3000, hostPort: 3000, protocol: 'UDP' }];
    assert.match(await choice({ ports }, ROOMY, { pods, applications: { other: { ports: udp } } }), /^surge: /);
  });
});

describe('pods that must be spread', () => {
  const zones = [node('a', 2, 'x'), node('b', 0, 'y')];

  function spread(constraint: OpenObject): Application {
    const whenUnsatisfiable = 'DoNotSchedule';
    return { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable, ...constraint }] };
  }

  it('end before new ones start where a pod more would be one too many', async () => {
    assert.match(
      await choice(spread({}), zones),
      /^recreate: Its topology spread keeps a new pod from every node with room, so/,
    );
    assert.match(await choice(spread({}), [node('a', 2, 'x'), node('b', 1, 'y')]), /^surge: /);
    assert.match(await choice(spread({ maxSkew: 2 }), zones), /^surge: /);
    assert.match(await choice(spread({ whenUnsatisfiable: 'ScheduleAnyway' }), zones), /^surge: /);
  });

  it('are counted where they may run, and against as many domains as there must be', async () => {
    const [a, b] = zones;
    assert.match(await choice({ ...spread({}), nodeSelector: { zone: 'x' } }, zones), /^surge: /, 'y does not count');
    assert.match(await choice(spread({ minDomains: 2 }), [a as NodeView]), /^recreate: /);
    assert.match(await choice(spread({}), [a as NodeView]), /^surge: /);
    const unlabelled = nodeWith('c', 1, { labels: {} });
    assert.match(await choice(spread({}), [a as NodeView, b as NodeView, unlabelled]), /^recreate: /);
    assert.match(await choice(spread({ matchLabelKeys: ['pod-template-hash'] }), zones), /^surge: /);
  });
});

describe('the work of looking at what forbids a pod', () => {
  /** How often labels of a pod are read for so many terms, none of which names one. */
  function labelReads(terms: number): number {
    const counter = { reads: 0 };
    const labels = counting({ a: 'x', b: 'y' }, counter);
    const required = Array.from({ length: terms }, (_, index) => ({ topologyKey: `k${index}`, matchLabelKeys: [] }));
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    const template = { labels, spec: { affinity } };
    const index = new NodeIndex([nodeWith('a', 1)]);
    const neighbours = new Neighbours([{ component: 'c', template, pods: new Map([[0, 1]]) }]);
    const before = counter.reads;
    forbiddenFor({ component: 'c', namespace: 'n', template, placement: {} }, neighbours, index, { beside: 'all' });
    return counter.reads - before;
  }

  it('does not read all labels of the pod for each term', () => {
    assert.equal(labelReads(40), labelReads(20));
  });
});

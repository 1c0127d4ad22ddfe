import assert from 'node:assert/strict';
import { decideOwnership } from '../../../../packages/api/operator-version.ts';
import type { Application, Condition, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { LINE_LIMIT } from '../../../../packages/lib/message.ts';
import { formatProblem, type Problem } from '../../../../packages/lib/problem.ts';
import { deploymentView } from '../../../../packages/kube/pods/deployment-view.ts';
import { planApplication } from '../../../../controller/src/reconcile/gpu/plan.ts';
import type { NodeView } from '../../../../packages/kube/placement/node-view.ts';
import { summarizeEvents } from '../../../../packages/kube/pods/pod-events.ts';
import { podProblem, type PodStatus } from '../../../../packages/kube/pods/pod-problem.ts';
import type { State, World } from '../../../../controller/src/reconcile/state.ts';
import { keep } from '../../../../controller/src/reconcile/steps/keep.ts';
import { notify } from '../../../../controller/src/reconcile/steps/notify.ts';
import { validate } from '../../../../controller/src/reconcile/steps/validate.ts';
import { remedyFor } from '../../../../controller/src/reconcile/stack-applier.ts';
import { summarize } from '../../../../controller/src/reconcile/summary.ts';
import { effectiveSpec } from '../../../../packages/render/effective.ts';
import { render } from '../../../../packages/render/render.ts';
import { ForeignObjectError } from '../../../../packages/kube/apply/applier.ts';
import { mergeConditions } from '../../../../packages/kube/conditions.ts';
import { capacityOf, nodeWith } from '../../../support/kubernetes/nodes.ts';
import { planned, podOf } from '../../../support/operator/planning.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

const LONG = `${'very '.repeat(80)}long`;
const NAME = 'a'.repeat(51);
const POD = `${'p'.repeat(63)}-7d9f8c6b5-x2x4z`;
const MANY = Array.from({ length: 40 }, (_, index) => `application-${index}`);

type Lines = readonly (string | undefined)[];

/** Everything that puts words into a status, with more to say than fits. */
const BUILDERS: Readonly<Record<string, () => Lines | Promise<Lines>>> = {
  'of a pod': () => POD_STATUSES.map((status) => podProblem(POD, status)),
  'of the Events about a pod': () => [
    summarizeEvents(
      MANY.map((name) => ({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name },
        message: `${name}: ${LONG}`,
        lastTimestamp: new Date(0).toISOString(),
      })),
      0,
    ),
  ],
  'of a Deployment': () => [
    deploymentView({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: NAME },
      status: { conditions: [{ type: 'ReplicaFailure', status: 'True', message: LONG }] },
    })?.stalled,
  ],
  'of missing GPUs': () => {
    const { missing } = planApplication(DEMAND, capacityOf(NODES));
    const tainted = planApplication({ ...DEMAND, placement: {} }, capacityOf(NODES)).missing;
    return [tainted, missing, planApplication(DEMAND, capacityOf([])).missing];
  },
  'of how pods are replaced, and of a change that has to wait': async () => {
    const claim = 'c'.repeat(253);
    const products = { key: 'nvidia.com/gpu.product', operator: 'In', values: MANY };
    const required = { nodeSelectorTerms: [{ matchExpressions: [products] }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    const node = nodeWith('a', 1, { labels: { 'nvidia.com/gpu.product': 'application-0' } });
    const lines = async (application: Application): Promise<Lines> => {
      const spec = { applications: { [NAME]: { ...application, affinity } } };
      const pods = [podOf(NAME, 'a', 1)];
      const { rollouts } = await planned({ spec, nodes: [node], pods, recorded: { [NAME]: 'surge' } });
      return [
        ...[...rollouts.choices.values()].map(({ reason }) => reason),
        ...[...rollouts.held.values()].map(({ why }) => why),
      ];
    };
    const volume = { modelsVolume: { persistentVolumeClaim: { claimName: claim } } };
    const all = [await lines(volume), await lines({ gpu: { count: 1 } }), await lines({ gpu: { count: 64 } })];
    assert.equal(all.flat().length, 5);
    return all.flat();
  },
  'of what is refused': () => {
    const state = stateOf({ applications: Object.fromEntries(MANY.map((name) => [name, { replicaCount: -1 }])) });
    void validate(state);
    return messages(state);
  },
  'of engines that do not suit the gateway': () => {
    const open = { engine: 'vllm', model: { name: 'm' } } as const;
    return [[NAME], MANY].map((applications) => {
      const state = stateOf({ applications: Object.fromEntries(applications.map((name) => [name, open])) });
      const stack = { ...state.stack, status: { defaults: { runtimeVersion: 'x', gateway: 'takeoff' } } } as const;
      void keep(Object.assign(state, { stack, draft: {} }), { owned: { get: () => undefined } } as unknown as World);
      const [message] = messages(state);
      assert.match(message ?? '', /or make another stack\.$/);
      return message;
    });
  },
  'of notices': async () => {
    const state = stateOf({
      gateway: { exportPrometheusMetrics: true },
      applications: Object.fromEntries(
        MANY.map((name) => [name, { scaling: { enabled: true }, readerConfig: { modelname: 'x' } }]),
      ),
    });
    const told: string[] = [];
    for (const absent of [true, false]) {
      const owned = { isAbsent: () => absent, isUnanswered: () => !absent } as unknown as World['owned'];
      await notify(state, { owned } as World);
      told.push(...messages(state));
    }
    return told;
  },
  'of each notice by itself': () => {
    const spec = {
      gateway: { exportPrometheusMetrics: true },
      applications: { [NAME]: { scaling: { enabled: true }, modelCache: { size: '1Gi' }, service: { x: 1 } } },
    };
    const context = contextWith({ capabilities: { keda: false, serviceMonitor: false, assignsUserIds: false } });
    return [...render(stackWith(spec), context).notices, ...contradictions()].map(formatProblem);
  },
  'of every condition': () => {
    const applications = Object.fromEntries(MANY.map((name) => [name, { phase: 'Failed' as const, message: LONG }]));
    const conditions = new Map<string, Condition>();
    const findings = { conditions, failures: [], plans: { [NAME]: { missing: LONG }, other: { missing: LONG } } };
    const accepted = {
      type: 'Accepted',
      status: 'True',
      reason: 'Valid',
      message: LONG,
      lastTransitionTime: '',
    } as const;
    const known = { ...findings, conditions: new Map([['Accepted', accepted]]) };
    const refused = { ...known, failures: MANY.map((name) => new Error(`${name} ${LONG}`)), plans: {} };
    return [known, refused].flatMap((each) =>
      mergeConditions([], summarize(each, { gateway: { phase: 'Waiting', message: LONG }, applications }), {
        time: '',
      }).map(({ message }) => message),
    );
  },
  'of an object that somebody else owns': () => {
    const metadata = { name: NAME, namespace: 'a-team-with-a-long-name' };
    const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
    return [new ForeignObjectError(object, 'was not made for this stack', remedyFor(object)).message];
  },
  'of a label that no operator serves': () =>
    [undefined, 'x'.repeat(63), '1.999999999.999999999'].map((label) => {
      const ownership = decideOwnership(label, '1.2.3');
      return 'problem' in ownership ? formatProblem(ownership.problem) : undefined;
    }),
};

/** Notices about readers and open engines that contradict themselves. */
function contradictions(): readonly Problem[] {
  const reader = { device: 'cuda', tensorParallel: 64, modelName: 'm' };
  const openai = {
    engine: 'openai',
    image: { repository: 'own' },
    model: { path: 'm' },
    weight: 0,
    aliases: MANY,
  } as const;
  const vllm: Application = {
    engine: 'vllm',
    engineRevision: 9999,
    model: { path: 'qwen/small' },
    args: ['--tensor-parallel-size', '64', '--port', '65535', '--api-key', 'x'],
    env: [{ name: 'VLLM_API_KEY', value: 'x' }],
    weight: 1000,
    aliases: ['alone'],
    scaling: { enabled: true, metricTarget: { value: 1 }, spec: { triggers: [] } },
  };
  const applications: Application[] = [
    { readerConfig: { ...reader, tensorParallel: 1 } },
    { readerConfig: { ...reader, device: 'cpu' }, gpu: { count: 64 } },
    { readerConfig: reader },
    { readerConfig: { ...reader, device: 'x'.repeat(12) }, gpu: { count: 1 }, args: ['x'], sidecarImage: { tag: 'x' } },
    openai,
    vllm,
    { ...vllm, gpu: { resourceName: 'amd.com/gpu' } },
    { engine: 'llamacpp', model: { image: { reference: 'm' } } },
  ];
  const defaults = { runtimeVersion: '1', revisions: { vllm: 9, onwards: 9 } };
  const all = applications.flatMap((application) => {
    const { notices } = render(stackWith({ applications: { [NAME]: application } }), contextWith({ defaults }));
    assert.ok(notices.length > 0);
    return notices;
  });
  assert.ok(new Set(all.map(({ message }) => message)).size >= 18);
  return all;
}

describe('a message', () => {
  for (const [title, build] of Object.entries(BUILDERS)) {
    it(`${title} is one line of at most ${LINE_LIMIT} characters`, async () => {
      const lines = await build();
      assert.ok(lines.length > 0);
      for (const line of lines) {
        assert.ok(line !== undefined && line !== '');
        assert.ok(line.length <= LINE_LIMIT && !line.includes('\n'), `${line.length}: ${line}`);
      }
    });
  }

  it('about many things says how many more there are', async () => {
    for (const title of ['of what is refused', 'of notices', 'of the Events about a pod']) {
      assert.match((await BUILDERS[title]?.())?.[0] ?? '', /; and \d+ more$/, title);
    }
    assert.match((await BUILDERS['of missing GPUs']?.())?.[0] ?? '', /; and \d+ more\.$/);
  });
});

const POD_STATUSES: readonly PodStatus[] = [
  { phase: 'Failed', reason: 'Evicted', message: LONG },
  { conditions: [{ type: 'PodScheduled', status: 'False', message: LONG }] },
  { containerStatuses: [{ name: 'sidecar', state: { waiting: { reason: 'ErrImagePull', message: LONG } } }] },
  { containerStatuses: [{ name: 'sidecar', state: { terminated: { exitCode: 1, message: LONG } } }] },
];

const NODES: readonly NodeView[] = MANY.map((name, index) => ({
  resourceVersion: 1,
  name,
  labels: {},
  taints: [{ key: `example.com/reserved-for-team-${index}`, effect: 'NoSchedule' }],
  ready: true,
  cordoned: false,
  devices: { 'nvidia.com/gpu': 1 },
}));

const DEMAND = {
  name: NAME,
  gpu: { resourceName: 'nvidia.com/gpu', count: 8 },
  placement: {
    terms: [
      { matchExpressions: [{ key: 'nvidia.com/gpu.memory', operator: 'In', values: MANY }] },
      { matchExpressions: [{ key: 'nvidia.com/gpu.product', operator: 'In', values: MANY }] },
    ],
  },
  replicas: 8,
  placed: 0,
};

function stateOf(spec: InferenceStackSpec): State {
  const stack = stackWith(spec);
  const context = contextWith({ capabilities: { keda: false, serviceMonitor: false, assignsUserIds: false } });
  return {
    stack,
    excess: [],
    spec: effectiveSpec(spec),
    rendered: render(stack, context),
    conditions: new Map(),
    notices: [],
  } as unknown as State;
}

function messages({ conditions }: State): string[] {
  return [...conditions.values()].map(({ message }) => message);
}

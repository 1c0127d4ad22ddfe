import assert from 'node:assert/strict';
import { FIELD_MANAGER } from '../../../../../packages/api/constants.ts';
import type { Affinity } from '../../../../../packages/api/types.ts';
import { ApiError } from '../../../../../packages/kube/client/api-error.ts';
import type { OpenObject } from '../../../../../packages/lib/json.ts';
import { podProblems } from '../../../../../packages/render/judge/judge.ts';
import { render } from '../../../../../packages/render/render.ts';
import { ControlPlane } from '../../../../support/kubernetes/control-plane.ts';
import { createNamespace, ownedType } from '../../../../support/operator/stack-api.ts';
import { contextWith, stackWith } from '../../../../support/people/stacks.ts';

const required = (requirement: OpenObject): Affinity => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] },
  },
});

/** What an API server refuses in a Deployment. The kubelet's own refusals, and mere contradictions, are not here. */
const REFUSED: Readonly<Record<string, object>> = {
  'memory in GB': { resources: { limits: { memory: '8GB' } } },
  'less than no CPU': { resources: { limits: { cpu: '-1' } } },
  'a part of a GPU': { resources: { limits: { 'nvidia.com/gpu': '0.5' } } },
  'GPUs without a limit': { resources: { requests: { 'nvidia.com/gpu': '1' } } },
  'requests above the limit': { resources: { requests: { cpu: '4' }, limits: { cpu: '2' } } },
  'a resource that is no name': { resources: { limits: { 'a b': '1' } } },
  'a label with a space in its key': { podLabels: { 'team name': 'x' } },
  'a label with two slashes': { podLabels: { 'a/b/c': 'x' } },
  'a label whose value is too long': { podLabels: { team: 'x'.repeat(64) } },
  'an annotation with a space in its key': { podAnnotations: { 'a b': 'x' } },
  'a node selector that begins with a dash': { nodeSelector: { '-gpu': 'a' } },
  'a toleration with a value for Exists': { tolerations: [{ key: 'gpu', operator: 'Exists', value: 'x' }] },
  'a toleration without a key': { tolerations: [{ effect: 'NoSchedule' }] },
  'a toleration of an unknown effect': { tolerations: [{ key: 'gpu', effect: 'Noschedule' }] },
  'seconds for NoSchedule': { tolerations: [{ key: 'gpu', effect: 'NoSchedule', tolerationSeconds: 3 }] },
  'a probe without a way to ask': { livenessProbe: { initialDelaySeconds: 3 } },
  'a probe with two ways to ask': { readinessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 } } },
  'a probe of a port that is too large': { readinessProbe: { httpGet: { port: 70_000 } } },
  'a probe of a port by a name with capitals': { readinessProbe: { httpGet: { port: 'HTTP' } } },
  'a probe of an unknown scheme': { readinessProbe: { httpGet: { port: 80, scheme: 'https' } } },
  'a liveness probe that has to succeed twice': { livenessProbe: { httpGet: { port: 80 }, successThreshold: 2 } },
  'a probe with an empty command': { livenessProbe: { exec: { command: [] } } },
  'a variable from nowhere': { env: [{ name: 'A', valueFrom: {} }] },
  'a variable from a Secret without a key': { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'a' } } }] },
  'a port that is too large': { ports: [{ containerPort: 99_999 }] },
  'a port with a name that is too long': { ports: [{ containerPort: 80, name: 'the-port-of-the-model' }] },
  'two ports of one name': {
    ports: [
      { containerPort: 80, name: 'a' },
      { containerPort: 81, name: 'a' },
    ],
  },
  'a port of an unknown protocol': { ports: [{ containerPort: 80, protocol: 'tcp' }] },
  'a volume with capitals in its name': { volumes: [{ name: 'Models', emptyDir: {} }] },
  'a volume of two sources': { volumes: [{ name: 'a', emptyDir: {}, configMap: { name: 'b' } }] },
  'two volumes of one name': {
    volumes: [
      { name: 'a', emptyDir: {} },
      { name: 'a', emptyDir: {} },
    ],
  },
  'a mount without a path': { volumes: [{ name: 'a', emptyDir: {} }], volumeMounts: [{ name: 'a' }] },
  'an init container with capitals in its name': { initContainers: [{ name: 'Fetch', image: 'a' }] },
  'an unknown seccomp profile': { securityContext: { seccompProfile: { type: 'Default' } } },
  'a privileged container that may not escalate': {
    securityContext: { privileged: true, allowPrivilegeEscalation: false },
  },
  'a priority class with capitals': { priorityClassName: 'High_Priority' },
  'a runtime class with a space': { runtimeClassName: 'nvidia gpu' },
  'an affinity to no value': { affinity: required({ key: 'a', operator: 'In' }) },
  'an affinity that compares with a text': {
    affinity: required({ key: 'a', operator: 'Gt', values: ['big', 'small'] }),
  },
  'an affinity with a value for Exists': { affinity: required({ key: 'a', operator: 'Exists', values: ['b'] }) },
  'a spread by nothing': {
    topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
  },
};

describe('what is judged of pods', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  before(async () => {
    plane = await ControlPlane.start();
    await createNamespace(plane.client, 'team-a');
  });
  after(() => plane.stop());

  /** Why a real API server refuses what would be made; undefined if it takes it. */
  async function refusal(application: object): Promise<string | undefined> {
    const stack = stackWith({ applications: { llm: application } });
    const { objects } = render(stack, contextWith());
    const made = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-llm'));
    assert.ok(made);
    try {
      await plane.client.apply(ownedType('Deployment'), made, { fieldManager: FIELD_MANAGER, dryRun: true });
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return error.answer;
      throw error;
    }
  }

  it('is what a real API server refuses as well', async () => {
    const differences: string[] = [];
    for (const [title, application] of Object.entries(REFUSED)) {
      const stack = stackWith({ applications: { llm: application } });
      if (podProblems(stack).length === 0) differences.push(`${title}: explain has no objection`);
      if ((await refusal(application)) === undefined) differences.push(`${title}: the API server has no objection`);
    }
    assert.deepEqual(differences, []);
  });

  it('leaves alone what it takes', async () => {
    const application = {
      resources: { requests: { cpu: '500m', memory: '1.5Gi' }, limits: { memory: '2e9', 'nvidia.com/gpu': 1 } },
      tolerations: [{ operator: 'Exists' }, { key: 'a', effect: 'NoExecute', tolerationSeconds: 3 }],
      podLabels: { 'example.com/team': 'A.b_c', empty: '' },
      livenessProbe: { exec: { command: ['true'] } },
      readinessProbe: { grpc: { port: 9000 }, successThreshold: 2 },
      env: [{ name: 'a.b-c', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      affinity: required({ key: 'a', operator: 'Gt', values: ['4'] }),
    };
    assert.deepEqual(podProblems(stackWith({ applications: { llm: application } })), []);
    assert.equal(await refusal(application), undefined);
  });
});

import type { Application } from '../../../packages/api/types.ts';
import type { Mistake } from './model-team.ts';

function llm(application: Application): { applications: { llm: Application } } {
  const readerConfig = { modelName: 'org/llm', ...application.readerConfig };
  return { applications: { llm: { ...application, readerConfig } } };
}

const OPEN = { engine: 'vllm', model: { name: 'org/llm' } } as const;

const IMAGE = 'docker.io/tytn/takeoff-pro:nope';
const PULL = `failed to pull and unpack image "${IMAGE}": failed to resolve image`;
const BACK_OFF = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container' } };

/** In the order of docs/how-to/fix-a-stack.md. The kubelets' messages are written like theirs, not recorded. */
export const MISTAKES: readonly Mistake[] = [
  {
    title: 'The image does not exist',
    spec: llm({ image: { tag: 'nope' } }),
    container: {
      state: {
        waiting: {
          reason: 'ErrImagePull',
          message: `rpc error: code = NotFound desc = ${PULL}: ${IMAGE}: not found`,
        },
      },
    },
  },
  {
    title: 'The registry wants a login',
    spec: { ...llm({}), imagePullSecrets: [{ name: 'regcred' }] },
    container: {
      state: {
        waiting: {
          reason: 'ImagePullBackOff',
          message:
            `Back-off pulling image "${IMAGE}": ErrImagePull: ${PULL}: pull access denied, repository does not exist ` +
            'or may require authorization: server message: insufficient_scope: authorization failed',
        },
      },
    },
    event: {
      reason: 'FailedToRetrieveImagePullSecret',
      message: 'Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.',
    },
  },
  {
    title: 'A Secret of an environment variable is missing',
    spec: llm({ env: [{ name: 'HF_TOKEN', valueFrom: { secretKeyRef: { name: 'hf-token', key: 'token' } } }] }),
    container: { state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "hf-token" not found' } } },
  },
  {
    title: 'A Secret of a volume is missing',
    spec: llm({ volumes: [{ name: 'token', secret: { secretName: 'hf-token' } }] }),
    container: { state: { waiting: { reason: 'ContainerCreating' } } },
    event: {
      reason: 'FailedMount',
      message: 'MountVolume.SetUp failed for volume "token" : secret "hf-token" not found',
    },
  },
  {
    title: 'The models volume does not exist',
    spec: llm({ modelsVolume: { persistentVolumeClaim: { claimName: 'models' } } }),
  },
  {
    title: 'More GPUs than any node has',
    spec: llm({ gpu: { count: 64, product: 'A100' } }),
  },
  {
    title: 'A label of nodes is misspelt',
    spec: llm({ nodeSelector: { 'nvidia.com/gpu.product': 'a100' } }),
  },
  {
    title: 'The model needs more memory than it may use',
    spec: llm({ resources: { limits: { memory: '1Gi' } } }),
    container: {
      restartCount: 4,
      state: BACK_OFF,
      lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
    },
  },
  {
    title: 'The runtime crashes',
    spec: llm({}),
    container: {
      restartCount: 4,
      state: BACK_OFF,
      lastState: { terminated: { exitCode: 1, reason: 'Error' } },
    },
  },
  {
    title: 'A readiness probe fails',
    spec: llm({ readinessProbe: { httpGet: { path: '/healthz', port: 9999 } } }),
    container: { state: { running: { startedAt: '2026-01-01T00:00:00Z' } } },
    event: {
      reason: 'Unhealthy',
      message:
        'Readiness probe failed: Get "http://10.214.0.17:9999/healthz": dial tcp 10.214.0.17:9999: connect: connection refused',
    },
  },
  {
    title: 'The model is still loading',
    spec: { applications: { llm: OPEN } },
    container: { started: false, state: { running: { startedAt: '2026-01-01T00:00:00Z' } } },
    event: { reason: 'Unhealthy', message: 'Startup probe failed: HTTP probe failed with statuscode: 503' },
  },
  {
    title: 'A liveness probe fails',
    spec: llm({ livenessProbe: { tcpSocket: { port: 9999 } } }),
    container: {
      restartCount: 4,
      state: BACK_OFF,
      lastState: { terminated: { exitCode: 137, reason: 'Error' } },
    },
    event: {
      reason: 'Unhealthy',
      message: 'Liveness probe failed: dial tcp 10.214.0.17:9999: connect: connection refused',
    },
  },
  {
    title: 'A port of the Service leads nowhere',
    spec: {
      ...llm({}),
      gateway: {
        service: {
          ports: [
            { name: 'http', port: 80, targetPort: 'opnai' },
            { name: 'internal', port: 3005 },
          ],
        },
      },
    },
  },
  { title: 'KEDA is missing', spec: llm({ scaling: { enabled: true } }) },
  {
    title: 'No such IngressClass',
    spec: {
      ...llm({}),
      gateway: { ingress: { enabled: true, className: 'ngnix', hosts: [{ host: 'chat.example.com' }] } },
    },
  },
  { title: 'A setting is misspelt', spec: llm({ readerConfig: { tensorParralel: 2 } }) },
  { title: 'No model is named', spec: { applications: { llm: {} } } },
  {
    title: 'Two models under one name',
    spec: {
      applications: { chat: { readerConfig: { modelName: 'org/a' } }, llm: { readerConfig: { modelName: 'org/b' } } },
    },
  },
  { title: 'A model is on a GPU that nobody asks for', spec: llm({ readerConfig: { device: 'cuda' } }) },
  {
    title: 'A model is spread over more GPUs than there are',
    spec: { applications: { llm: { ...OPEN, gpu: { count: 2 }, args: ['--tensor-parallel-size', '4'] } } },
  },
  {
    title: 'A model is not where it is looked for',
    spec: { applications: { llm: { ...OPEN, gpu: {}, model: { path: 'qwen' } } } },
  },
  {
    title: 'Nobody has a weight',
    spec: { applications: { llm: { ...OPEN, gpu: {}, aliases: ['chat'], weight: 0 } } },
  },
  {
    title: 'The gateway does not suit a new engine',
    spec: llm({}),
    change: { applications: { llm: { ...OPEN, readerConfig: null } } },
  },
  {
    title: 'The spec is too large',
    spec: {
      applicationTemplate: { readerConfig: { modelName: 'org/llm', prompt: 'x'.repeat(200_000) } },
      applications: { llm: {}, chat: {}, code: {} },
    },
  },
  {
    title: 'An object of that name is there already',
    spec: llm({}),
    before: [
      {
        plural: 'serviceaccounts',
        object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'chat-inference-stack' } },
      },
    ],
  },
  {
    title: "A namespace's quota is used up",
    spec: llm({}),
    before: [
      {
        plural: 'resourcequotas',
        object: { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'small' }, spec: { hard: { pods: '0' } } },
      },
    ],
  },
  { title: 'The operator is too old', spec: llm({}), label: '3.9' },
  { title: 'No operator of that major', spec: llm({}), label: 'v7' },
  { title: 'No label `operatorVersion`', spec: llm({}), label: null },
  { title: 'A value that the API does not allow', spec: llm({ replicaCount: -1 }) },
];

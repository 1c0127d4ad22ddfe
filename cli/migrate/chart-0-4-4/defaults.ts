import { isObject, objectAt, type OpenObject } from '../../../packages/lib/json.ts';
import { ownValue, setOwn, withoutNulls } from '../../../packages/lib/values.ts';
import { layered } from '../read-values.ts';

/** What the chart itself sets, where values say nothing and leaving it out would change what runs. */

function gpu(limit: string, request: string): OpenObject {
  const whole = { 'nvidia.com/gpu': 1 };
  return { limits: { ...whole, memory: limit }, requests: { ...whole, memory: request } };
}

const GROUP = {
  enabled: false,
  replicaCount: 1,
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
};

const FIRST_GPU = [{ name: 'CUDA_VISIBLE_DEVICES', value: '0' }];

function probes(ways: readonly [OpenObject, OpenObject, OpenObject]): OpenObject {
  const [startup, liveness, readiness] = ways;
  return {
    startupProbe: {
      ...{ enabled: true, initialDelaySeconds: 30, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 30 },
      ...startup,
    },
    livenessProbe: {
      ...{ enabled: true, initialDelaySeconds: 5, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
      ...liveness,
    },
    readinessProbe: {
      ...{ enabled: true, initialDelaySeconds: 2, periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 3 },
      ...readiness,
    },
  };
}

const HEALTH = { type: 'http', path: '/health' };
const TCP = { type: 'tcp' };

/** The chart has three groups of its own, which are disabled. Values that enable one of them get the rest of it. */
const GROUPS: Readonly<Record<string, OpenObject>> = {
  'vllm-gemma': {
    ...GROUP,
    image: { repository: 'vllm/vllm-openai', tag: 'latest', pullPolicy: 'IfNotPresent' },
    modelAlias: ['gemma-12b', 'google/gemma-3-12b-it'],
    modelName: 'google/gemma-3-12b-it',
    service: { type: 'ClusterIP', port: 8000 },
    containerPort: 8000,
    command: ['--host', '0.0.0.0', '--port', '8000', '--model', 'google/gemma-3-12b-it', '--dtype', 'bfloat16'],
    env: FIRST_GPU,
    ...probes([HEALTH, HEALTH, HEALTH]),
    resources: gpu('16Gi', '8Gi'),
    podSecurityContext: { runAsUser: 0 },
  },
  'sglang-qwen': {
    ...GROUP,
    image: { repository: 'lmsysorg/sglang', tag: 'latest', pullPolicy: 'IfNotPresent' },
    modelAlias: ['qwen-2.5-7b', 'qwen-2.5-7b-instruct'],
    modelName: 'Qwen/Qwen2.5-7B-Instruct',
    service: { type: 'ClusterIP', port: 30_000 },
    containerPort: 30_000,
    command: [
      ...['python', '-m', 'sglang.launch_server', '--model-path', 'Qwen/Qwen2.5-7B-Instruct'],
      ...['--host', '0.0.0.0', '--port', '30000'],
    ],
    env: FIRST_GPU,
    ...probes([TCP, TCP, TCP]),
    resources: gpu('12Gi', '6Gi'),
  },
  'tensorrt-llm-mistral': {
    ...GROUP,
    image: { repository: 'nvcr.io/nvidia/tritonserver', tag: '24.01-trtllm-python-py3', pullPolicy: 'IfNotPresent' },
    modelAlias: ['mistral-7b', 'mistral-7b-instruct'],
    modelName: 'mistralai/Mistral-7B-Instruct-v0.2',
    service: { type: 'ClusterIP', port: 8001 },
    containerPort: 8001,
    ...probes([
      {
        enabled: false,
        type: 'http',
        path: '/v2/health/ready',
        periodSeconds: 15,
        timeoutSeconds: 10,
        failureThreshold: 60,
      },
      { enabled: false, type: 'http', path: '/v2/health/live', periodSeconds: 15, timeoutSeconds: 10 },
      { enabled: false, type: 'http', path: '/v2/health/ready', periodSeconds: 10, timeoutSeconds: 5 },
    ]),
    resources: gpu('16Gi', '8Gi'),
  },
};

const INGRESS = { hosts: [{ host: 'inference.local', paths: [{ path: '/', pathType: 'Prefix' }] }] };

/** Values over the chart's own, as Helm lays them: a null takes away what the chart sets. */
export function withChartDefaults(values: unknown): unknown {
  if (!isObject(values)) return values;
  const groups: OpenObject = {};
  for (const [name, group] of Object.entries(objectAt(values, 'modelGroups'))) {
    setOwn(groups, name, isObject(group) ? layered(ownValue(GROUPS, name) ?? {}, group) : group);
  }
  const { modelGroups, ingress } = values;
  return withoutNulls({
    ...values,
    ...(isObject(modelGroups) ? { modelGroups: groups } : {}),
    ...(isObject(ingress) ? { ingress: layered(INGRESS, ingress) } : {}),
  });
}

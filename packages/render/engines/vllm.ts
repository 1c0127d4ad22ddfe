import { loadingProbes } from './probes.ts';
import type { EngineTable } from './table.ts';
import { PYTHON_ENV } from './python-env.ts';

/** Each of these takes its number of GPUs besides. */
const OTHER_PARALLELISM = [
  '--pipeline-parallel-size',
  '-pp',
  '--data-parallel-size',
  '-dp',
  '--data-parallel-size-local',
  '-dpl',
  '--prefill-context-parallel-size',
  '-pcp',
] as const;

export const VLLM: EngineTable = {
  engine: 'vllm',
  title: 'vLLM',
  revisions: [
    {
      image: { repository: 'vllm/vllm-openai', tag: 'v0.32.0' },
      command: ['vllm', 'serve'],
      arguments: [
        // It stands alone, as the first argument: as a flag, vLLM takes it with a warning that this will end.
        { setting: 'name', flags: [], unless: ['--model'] },
        { setting: 'path', flags: [], unless: ['--model'] },
        { setting: 'revision', flags: ['--revision'] },
        { setting: 'servedName', flags: ['--served-model-name'] },
        { value: '0.0.0.0', flags: ['--host'] },
        { setting: 'port', flags: ['--port'] },
        { setting: 'gpus', flags: ['--tensor-parallel-size', '-tp'], unless: OTHER_PARALLELISM },
        // Without it, what is under way ends in the middle, and looks complete.
        { setting: 'shutdown', flags: ['--shutdown-timeout'] },
      ],
      env: {
        ...PYTHON_ENV,
        VLLM_CACHE_ROOT: '/cache/vllm',
        VLLM_CONFIG_ROOT: '/cache/vllm-config',
        VLLM_NO_USAGE_STATS: '1',
        // It would give up after ten minutes, whatever the startup probe allows.
        VLLM_ENGINE_READY_TIMEOUT_S: '3600',
        VLLM_HTTP_TIMEOUT_KEEP_ALIVE: '120',
      },
      offlineEnv: { HF_HUB_OFFLINE: '1' },
      downloads: 'HF_HOME',
      port: 8000,
      metricsPath: '/metrics',
      gpuVendor: 'nvidia.com',
      needsGpu: true,
      drainSeconds: 10,
      graceSeconds: 120,
      ...loadingProbes('/health'),
      shmSize: '2Gi',
      cannot: ['It compiles kernels when it starts: files in /cache must be executable.'],
      resources: {
        requests: { cpu: '2', memory: '8Gi', 'ephemeral-storage': '10Gi' },
        limits: { memory: '64Gi', 'ephemeral-storage': '200Gi' },
      },
    },
  ],
};

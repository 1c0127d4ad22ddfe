import { loadingProbes } from './probes.ts';
import { PYTHON_ENV } from './python-env.ts';
import type { EngineTable } from './table.ts';

/** Each of these takes its number of GPUs besides. */
const OTHER_PARALLELISM = [
  '--pp-size',
  '--pipeline-parallel-size',
  '--dp-size',
  '--data-parallel-size',
  '--dp',
] as const;

export const SGLANG: EngineTable = {
  engine: 'sglang',
  title: 'SGLang',
  revisions: [
    {
      image: { repository: 'lmsysorg/sglang', tag: 'v0.5.21' },
      command: ['python3', '-m', 'sglang.launch_server'],
      arguments: [
        { setting: 'name', flags: ['--model-path', '--model'] },
        { setting: 'path', flags: ['--model-path', '--model'] },
        { setting: 'revision', flags: ['--revision'] },
        { setting: 'servedName', flags: ['--served-model-name'] },
        { value: '0.0.0.0', flags: ['--host'] },
        { setting: 'port', flags: ['--port'] },
        {
          setting: 'gpus',
          flags: ['--tp-size', '--tensor-parallel-size'],
          abbreviations: ['--tp'],
          unless: OTHER_PARALLELISM,
        },
        { flags: ['--enable-metrics'] },
      ],
      env: {
        ...PYTHON_ENV,
        SGLANG_CACHE_DIR: '/cache/sglang',
        SGLANG_TIMEOUT_KEEP_ALIVE: '120',
        // Else every look at its health generates a token.
        SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION: 'false',
      },
      offlineEnv: { HF_HUB_OFFLINE: '1' },
      downloads: 'HF_HOME',
      port: 30_000,
      metricsPath: '/metrics',
      gpuVendor: 'nvidia.com',
      needsGpu: true,
      drainSeconds: 10,
      graceSeconds: 120,
      ...loadingProbes('/health', '/ready'),
      shmSize: '8Gi',
      cannot: [
        'It compiles kernels when it starts: files in /cache must be executable.',
        'Kernels that the image brings are readable for root alone: other users get the slower ones, or compile their own.',
      ],
      resources: {
        requests: { cpu: '2', memory: '8Gi', 'ephemeral-storage': '10Gi' },
        limits: { memory: '64Gi', 'ephemeral-storage': '200Gi' },
      },
    },
  ],
};

import { loadingProbes } from './probes.ts';
import { PYTHON_ENV } from './python-env.ts';
import type { EngineTable } from './table.ts';

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
        { setting: 'gpus', flags: ['--tp-size', '--tensor-parallel-size'] },
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
      drainSeconds: 10,
      graceSeconds: 120,
      ...loadingProbes('/health', '/ready'),
      shmSize: '8Gi',
      resources: {
        requests: { cpu: '2', memory: '8Gi', 'ephemeral-storage': '10Gi' },
        limits: { memory: '64Gi', 'ephemeral-storage': '200Gi' },
      },
    },
  ],
};

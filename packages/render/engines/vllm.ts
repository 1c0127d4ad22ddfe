import { loadingProbes } from './probes.ts';
import type { EngineTable } from './table.ts';
import { PYTHON_ENV } from './python-env.ts';

export const VLLM: EngineTable = {
  engine: 'vllm',
  title: 'vLLM',
  revisions: [
    {
      image: { repository: 'vllm/vllm-openai', tag: 'v0.32.0' },
      command: ['vllm', 'serve'],
      arguments: [
        { setting: 'name', flags: ['--model'] },
        { setting: 'path', flags: ['--model'] },
        { setting: 'revision', flags: ['--revision'] },
        { setting: 'servedName', flags: ['--served-model-name'] },
        { value: '0.0.0.0', flags: ['--host'] },
        { setting: 'port', flags: ['--port'] },
        { setting: 'gpus', flags: ['--tensor-parallel-size', '-tp'] },
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
      drainSeconds: 10,
      graceSeconds: 120,
      ...loadingProbes('/health'),
      shmSize: '2Gi',
      resources: {
        requests: { cpu: '2', memory: '8Gi', 'ephemeral-storage': '10Gi' },
        limits: { memory: '64Gi', 'ephemeral-storage': '200Gi' },
      },
    },
  ],
};

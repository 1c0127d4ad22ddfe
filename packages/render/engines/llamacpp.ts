import { loadingProbes } from './probes.ts';
import type { EngineTable } from './table.ts';

export const LLAMA_CPP: EngineTable = {
  engine: 'llamacpp',
  title: 'llama.cpp',
  revisions: [
    {
      image: { repository: 'ghcr.io/ggml-org/llama.cpp', tag: 'server-b11429' },
      gpuImage: { repository: 'ghcr.io/ggml-org/llama.cpp', tag: 'server-cuda-b11429' },
      // The image's own entry point is the server, wherever it lies.
      arguments: [
        { setting: 'name', flags: ['--hf-repo', '-hf', '-hfr'] },
        { setting: 'path', flags: ['--model', '-m'] },
        { setting: 'path', value: '', flags: ['--offline'] },
        { setting: 'url', flags: ['--model-url', '-mu'] },
        // Without a name for the file, it fetches nothing, says that it is ready, and has no model.
        { setting: 'download', flags: ['--model', '-m'] },
        { setting: 'servedName', flags: ['--alias', '-a'] },
        { value: '0.0.0.0', flags: ['--host'] },
        { setting: 'port', flags: ['--port'] },
        // More threads than processors make it many times slower.
        { setting: 'threads', flags: ['--threads', '-t'] },
        { setting: 'gpus', value: 'all', flags: ['--n-gpu-layers', '--gpu-layers', '-ngl'] },
        // By default it takes 8 GiB for it, whatever the pod's limit.
        { setting: 'promptCache', flags: ['--cache-ram', '-cram'] },
        { flags: ['--metrics'] },
        { flags: ['--no-slots'] },
        { flags: ['--no-ui', '--no-webui'] },
      ],
      env: { HOME: '/cache' },
      downloads: 'LLAMA_CACHE',
      port: 8080,
      metricsPath: '/metrics',
      gpuVendor: 'nvidia.com',
      // It finishes nothing once it was told to stop, so that waiting longer than the drain would help nobody.
      drainSeconds: 30,
      graceSeconds: 35,
      ...loadingProbes('/health'),
      resources: {
        requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' },
        limits: { memory: '16Gi', 'ephemeral-storage': '50Gi' },
      },
    },
  ],
};

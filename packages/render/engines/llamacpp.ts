import { loadingProbes } from './probes.ts';
import type { EngineTable } from './table.ts';

export const LLAMA_CPP: EngineTable = {
  engine: 'llamacpp',
  title: 'llama.cpp',
  revisions: [
    {
      image: { repository: 'ghcr.io/ggml-org/llama.cpp', tag: 'server-b7000' },
      gpuImage: { repository: 'ghcr.io/ggml-org/llama.cpp', tag: 'server-cuda-b7000' },
      // The image's own entry point is the server, wherever it lies.
      arguments: [
        { setting: 'name', flags: ['--hf-repo', '-hf', '-hfr'] },
        { setting: 'path', flags: ['--model', '-m'] },
        { setting: 'url', flags: ['--model-url', '-mu'] },
        { setting: 'servedName', flags: ['--alias', '-a'] },
        { value: '0.0.0.0', flags: ['--host'] },
        { setting: 'port', flags: ['--port'] },
        // More threads than processors make it many times slower.
        { setting: 'threads', flags: ['--threads', '-t'] },
        { setting: 'gpus', value: '999', flags: ['--n-gpu-layers', '--gpu-layers', '-ngl'] },
        { flags: ['--metrics'] },
        { flags: ['--no-webui', '--no-ui'] },
      ],
      env: { HOME: '/cache/home' },
      downloads: 'LLAMA_CACHE',
      port: 8080,
      metricsPath: '/metrics',
      ...loadingProbes('/health'),
      resources: {
        requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' },
        limits: { memory: '16Gi', 'ephemeral-storage': '50Gi' },
      },
    },
  ],
};

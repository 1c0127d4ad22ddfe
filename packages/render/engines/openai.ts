import { loadingProbes } from './probes.ts';
import type { EngineTable } from './table.ts';

/** Anything that serves the OpenAI API. It gets no arguments, since nobody knows which it takes. */
export const OPENAI: EngineTable = {
  engine: 'openai',
  title: 'any server of the OpenAI API',
  revisions: [
    {
      arguments: [],
      env: { HOME: '/cache' },
      downloads: 'HF_HOME',
      port: 8000,
      metricsPath: '/metrics',
      drainSeconds: 10,
      graceSeconds: 120,
      ...loadingProbes('/v1/models'),
      resources: {
        requests: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '1Gi' },
        limits: { memory: '64Gi', 'ephemeral-storage': '200Gi' },
      },
    },
  ],
};

import { app, type ValidationCase } from './validation-case.ts';

const entries = (count: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, value]));
const list = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);
const terms = (nodeSelectorTerms: unknown): object => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});
const TERMS =
  'spec.applications.llama.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

/** Bounds that the schema states; `BOUNDS` in the API has those that it cannot. */
export const SCHEMA_BOUNDS: readonly ValidationCase[] = [
  { title: 'as many settings as there may be', spec: app({ readerConfig: entries(250, 0) }) },
  {
    title: 'more settings than there may be',
    spec: app({ readerConfig: entries(251, 0) }),
    path: 'spec.applications.llama.readerConfig',
    message: /at most 250/,
  },
  {
    title: 'more annotations than there may be',
    spec: app({ podAnnotations: entries(101, '') }),
    path: 'spec.applications.llama.podAnnotations',
    message: /at most 100/,
  },
  {
    title: 'more fields of a probe than there may be',
    spec: { gateway: { livenessProbe: entries(101, '') } },
    path: 'spec.gateway.livenessProbe',
    message: /at most 100/,
  },
  {
    title: 'more volumes than there may be',
    spec: { gateway: { volumes: list(101, {}) } },
    path: 'spec.gateway.volumes',
    message: /at most 100/,
  },
  {
    title: 'a text that is longer than any of its kind',
    spec: app({ priorityClassName: 'x'.repeat(1025) }),
    path: 'spec.applications.llama.priorityClassName',
    message: /at most 1024/,
  },
  {
    title: 'a variable that is longer than it may be',
    spec: app({ env: [{ name: 'A', value: 'x'.repeat(32_769) }] }),
    path: 'spec.applications.llama.env[0].value',
    message: /at most 32768/,
  },
  {
    title: 'more alternatives of nodes than there may be',
    spec: app(terms(list(21, {}))),
    path: TERMS,
    message: /at most 20/,
  },
  {
    title: 'more pods to keep away from than there may be',
    spec: app({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: list(21, {}) } } }),
    path: 'spec.applications.llama.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution',
    message: /at most 20/,
  },
  {
    title: 'a label that is longer than Kubernetes allows',
    spec: app({ podLabels: { team: 'x'.repeat(64) } }),
    path: 'spec.applications.llama.podLabels.team',
    message: /at most 63/,
  },
  {
    title: 'a label of a node that is longer than Kubernetes allows',
    spec: { gateway: { nodeSelector: { pool: 'x'.repeat(64) } } },
    path: 'spec.gateway.nodeSelector.pool',
    message: /at most 63/,
  },
  {
    title: 'more requirements of a node than there may be',
    spec: app(terms([{ matchExpressions: list(21, {}) }])),
    path: `${TERMS}[0].matchExpressions`,
    message: /at most 20/,
  },
];

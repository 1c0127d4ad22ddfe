/** Measures the renderer on one core: 10,000 renderings of a stack with 20 applications are to take less than 10 s. */
import { pathToFileURL } from 'node:url';
import type { Application, InferenceStack } from '../../../../packages/api/types.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

const RENDERINGS = 10_000;
const APPLICATIONS = 20;
const LIMIT_SECONDS = 10;

/** Applications of every kind that a team would write: scaled and fixed, with caches and volumes. */
export function largeStack(applications = APPLICATIONS): InferenceStack {
  const entries = Array.from({ length: applications }, (_, index): [string, Application] => [
    `model-${String(index)}`,
    {
      readerConfig: {
        modelName: `org/model-${String(index)}`,
        consumerGroup: `group-${String(index)}`,
        maxBatchSize: 8,
      },
      gpu: { count: 1 + (index % 4), minMemory: '40Gi' },
      env: [{ name: 'HF_HOME', value: '/code/models' }],
      resources: { limits: { memory: '64Gi' }, requests: { cpu: 4 } },
      ...(index % 2 === 0 ? { scaling: { enabled: true } } : { replicaCount: 2, modelCache: { size: '200Gi' } }),
    },
  ]);
  return stackWith({
    gateway: { replicaCount: 2, exportPrometheusMetrics: true },
    applicationTemplate: { podAnnotations: { team: 'a' }, nodeSelector: { pool: 'gpu' } },
    applications: Object.fromEntries(entries),
  });
}

function main(): void {
  const stack = largeStack();
  const context = contextWith();
  const before = process.cpuUsage();
  const start = performance.now();
  let objects = 0;
  for (let index = 0; index < RENDERINGS; index++) objects += render(stack, context).objects.length;
  const { user, system } = process.cpuUsage(before);
  const cpuSeconds = (user + system) / 1e6;
  const wallSeconds = (performance.now() - start) / 1000;
  console.log(
    `${String(RENDERINGS)} renderings of ${String(APPLICATIONS)} applications (${String(objects / RENDERINGS)} objects each): ` +
      `${cpuSeconds.toFixed(2)} s of CPU, ${wallSeconds.toFixed(2)} s in all`,
  );
  if (cpuSeconds >= LIMIT_SECONDS) {
    console.error(`The limit is ${String(LIMIT_SECONDS)} s.`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();

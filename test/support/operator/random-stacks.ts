import fc from 'fast-check';
import type { InferenceStackSpec } from '../../../packages/api/types.ts';
import { validate } from '../../../packages/api/validate.ts';
import { stackWith } from '../people/stacks.ts';

/** Names that mean something to JavaScript are among them. */
const word = fc.constantFrom('chat', 'embed', 'rerank', 'llama', 'qwen', 'constructor');
const env = fc.uniqueArray(
  fc.record({ name: fc.constantFrom('LOG_LEVEL', 'A', 'B', 'HF_HOME'), value: fc.constantFrom('1', 'info', '/cache') }),
  { selector: ({ name }) => name, maxLength: 3 },
);
const amounts = fc.constantFrom(
  {},
  { limits: { cpu: '1000m' } },
  { limits: { memory: '1024Mi' }, requests: { cpu: 0.5 } },
);
const shared = {
  replicaCount: fc.integer({ min: 0, max: 3 }),
  env,
  resources: amounts,
  podAnnotations: fc.constantFrom({}, { team: 'a' }),
  nodeSelector: fc.constantFrom({}, { zone: 'a' }),
  terminationGracePeriodSeconds: fc.constantFrom(30, 90),
  tolerations: fc.constantFrom([], [{ key: 'gpu', operator: 'Exists' }]),
};
const optional = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(shape, { requiredKeys: [] });

const open = fc
  .tuple(
    fc.constantFrom('vllm', 'sglang', 'llamacpp'),
    optional({ ...shared, args: fc.constantFrom([], ['--verbose']) }),
  )
  .map(([engine, rest]) => ({ ...rest, engine, model: { name: 'org/model' } }));
const takeoff = optional({
  ...shared,
  modelsVolume: fc.constantFrom({ name: 'models', emptyDir: {} }, { name: 'host', hostPath: { path: '/models' } }),
}).map((rest) => ({ ...rest, readerConfig: { modelName: 'org/model' } }));

const gateway = optional({
  replicaCount: fc.integer({ min: 1, max: 2 }),
  podLabels: fc.constantFrom({}, { team: 'a' }),
  resources: amounts,
});
const applications = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.dictionary(word, one, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
const spec = fc
  .oneof(applications(open), applications(takeoff))
  .chain((apps) => gateway.map((given) => ({ gateway: given, applications: apps }) as unknown as InferenceStackSpec))
  .filter((given) => validate(stackWith(given)).valid);

/** So many specs that the API accepts; the same for a seed. */
export function randomSpecs(count: number, seed: number): readonly InferenceStackSpec[] {
  return fc.sample(spec, { numRuns: count, seed });
}

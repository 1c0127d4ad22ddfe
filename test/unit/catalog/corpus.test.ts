import assert from 'node:assert/strict';
import type { Question } from '../../../cli/release/ask.ts';
import { readCorpus } from '../../../cli/release/corpus.ts';
import { processIo } from '../../../cli/io.ts';
import type { Application } from '../../../packages/api/types.ts';
import { offlineContext } from '../../../packages/render/offline-context.ts';
import { render } from '../../../packages/render/render.ts';

describe('the corpus of stacks that releases are compared by', () => {
  let questions: readonly Question[];
  before(async () => {
    questions = await readCorpus(processIo);
  });
  const used = (key: keyof Application): Set<unknown> =>
    new Set(
      questions.flatMap(({ stack: { spec } }) =>
        Object.values(spec.applications ?? {}).map((one) => one[key] ?? spec.applicationTemplate?.[key]),
      ),
    );

  it('has every engine, and stacks of both platforms', () => {
    const engines = [undefined, 'external', 'vllm', 'sglang', 'llamacpp', 'openai'];
    const found = used('engine');
    assert.deepEqual(
      engines.filter((engine) => !found.has(engine)),
      [],
    );
    assert.deepEqual(new Set(questions.map(({ name }) => name.split('/')[0])), new Set(['kubernetes', 'openshift']));
  });

  it('names no version, so that each can be asked', () => {
    for (const { name, stack } of questions) assert.equal(stack.metadata.labels, undefined, name);
  });

  it('has every kind of object that a stack can be made of', () => {
    const kinds = questions.flatMap(({ stack }) =>
      render(stack, offlineContext(stack)).objects.map(({ kind }) => kind),
    );
    const expected = ['ConfigMap', 'Deployment', 'Ingress', 'NetworkPolicy', 'PersistentVolumeClaim'];
    const more = ['PodDisruptionBudget', 'ScaledObject', 'Service', 'ServiceAccount', 'ServiceMonitor'];
    assert.deepEqual([...new Set(kinds)].toSorted(), [...expected, ...more]);
  });
});

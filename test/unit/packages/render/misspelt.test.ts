import assert from 'node:assert/strict';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith, objectsOf, stackWith } from '../../../support/people/stacks.ts';

function notices(spec: InferenceStackSpec): string[] {
  return render(stackWith(spec), contextWith()).notices.map(formatProblem);
}

describe('a setting that is nearly a known one', () => {
  it('is told, once and where it was written', () => {
    const spec = {
      gateway: { config: { maxUserBatchsize: 4 } },
      applicationTemplate: { readerConfig: { modelName: 'org/model', tensorParralel: 2 } },
      applications: { gemma: {}, llama: { readerConfig: { modelname: 'org/llama' } } },
    };
    assert.deepEqual(notices(spec), [
      'spec.gateway.config.maxUserBatchsize: is not a known setting; did you mean maxUserBatchSize?',
      'spec.applicationTemplate.readerConfig.tensorParralel: is not a known setting; did you mean tensorParallel?',
      'spec.applications.llama.readerConfig.modelname: is not a known setting; did you mean modelName?',
    ]);
  });

  it('is looked for in no application that has nothing of its own', () => {
    const applications = JSON.parse('{"llama": null}') as Record<string, object>;
    const applicationTemplate = { readerConfig: { modelName: 'org/llama' } };
    assert.deepEqual(notices({ applicationTemplate, applications }), []);
  });

  it('is passed on all the same', () => {
    const config = objectsOf({ applications: { llama: { readerConfig: { tensorParralel: 2 } } } })['ConfigMap/llama'];
    assert.match(JSON.stringify(config), /tensor_parralel: 2/);
  });

  it('is not told of what is known in other words, of what is not set, and of what is far from all', () => {
    const readerConfig = {
      modelName: 'org/llama',
      max_batch_size: 4,
      quantType: 'awq',
      tensorParralel: null,
      experimentalScheduler: 'fifo',
      newKey: { deep: [1] },
    };
    assert.deepEqual(notices({ applications: { llama: { readerConfig } } }), []);
  });

  it('is looked for among the first hundred unknown settings, however many there are', () => {
    const readerConfig = Object.fromEntries(
      Array.from({ length: 250 }, (_, index) => [`tensorParalle${String(index % 10)}${'_'.repeat(index / 10)}`, 0]),
    );
    const hints = (count: number): number => {
      const names = Array.from({ length: count }, (_, index) => `a${String(index)}`);
      const spec = { applications: Object.fromEntries(names.map((name) => [name, { readerConfig }])) };
      return notices(spec).filter((notice) => notice.includes('did you mean')).length;
    };
    assert.equal(hints(1), 100);
    assert.equal(hints(8), 100);
  });
});

import assert from 'node:assert/strict';
import type { Application, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

const noticesOf = (spec: InferenceStackSpec): string[] =>
  render(stackWith(spec), contextWith()).notices.map(formatProblem);

/** Settings of which every two are one in the configuration file. */
const pairs = (count: number): Record<string, number> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`zz${String(index)}zA`, `zz${String(index)}z_a`])
      .flat()
      .map((key) => [key, 0]),
  );
const applications = (count: number): Record<string, Application> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`a${String(index)}`, { readerConfig: { modelName: 'm' } }]),
  );

describe('notices', () => {
  it('tell of a template what is wrong with the template, once for all applications', () => {
    const collisions = (count: number): string[] =>
      noticesOf({
        applicationTemplate: { readerConfig: pairs(3) },
        applications: applications(count),
      }).filter((notice) => notice.includes(' wins'));
    assert.equal(collisions(2).length, 3);
    assert.deepEqual(collisions(4), collisions(2));
    assert.match(
      collisions(2)[0] ?? '',
      /^spec\.applicationTemplate\.readerConfig\.zz0z_a: is zz_0z_a in config\.yaml, and so is zz0zA/,
    );
  });

  it('tell of an application where its setting meets one of the template', () => {
    const notices = noticesOf({
      applicationTemplate: { readerConfig: { modelName: 'm', fooBar: 1 } },
      applications: { llm: { readerConfig: { foo_bar: 2 } } },
    });
    assert.deepEqual(notices, [
      'spec.applications.llm.readerConfig.foo_bar: is foo_bar in config.yaml, and so is fooBar; foo_bar wins. ' +
        'Remove one of them.',
    ]);
  });
});

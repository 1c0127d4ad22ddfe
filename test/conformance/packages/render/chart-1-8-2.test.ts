import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { convertChart182 } from '../../../../cli/migrate/chart-1-8-2.ts';
import { validate } from '../../../../packages/api/validate.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { stackWith } from '../../../support/people/stacks.ts';
import { CHART_1_8_2, type ChartCase, readFixture } from './case.ts';
import { CHART_VALUES_1_8_2, sets } from './chart-values.ts';
import { DIFFERENCES_1_8_2, OWN_DIFFERENCES } from './chart-1-8-2/differences.ts';
import { expected, rendered } from './compare.ts';

const CASES = CHART_1_8_2.cases();

describe('conformance of converted values with chart 1.8.2', () => {
  it('is judged by at least 120 sets of values', () => assert.ok(CASES.size >= 120, String(CASES.size)));

  it('is judged for every value of the chart', () => {
    const values = [...CASES.values()].map((chartCase) => chartCase.values);
    const missing = CHART_VALUES_1_8_2.filter((path) => !values.some((given) => sets(given, path)));
    assert.deepEqual(missing, []);
  });

  for (const [name, chartCase] of CASES) {
    it(`holds for ${name}`, () => {
      const stack = stackOf(chartCase);
      assert.deepEqual(validate(stack), { valid: true, stack });
      assert.deepEqual(rendered(stack), expected(readFixture(CHART_1_8_2, name), stack, DIFFERENCES_1_8_2));
    });
  }
});

describe('every further difference from chart 1.8.2', () => {
  const page = readFileSync(new URL('../../../../docs/reference/chart-differences.md', import.meta.url), 'utf8');
  for (const difference of OWN_DIFFERENCES) {
    it(`is documented: ${difference.title}`, () => assert.ok(page.includes(`### ${difference.title}\n`)));

    it(`is met by some case: ${difference.title}`, () => {
      const met = [...CASES].some(([name, chartCase]) =>
        readFixture(CHART_1_8_2, name).some((object) => {
          const before = structuredClone(object);
          difference.apply(object, stackOf(chartCase).spec, chartCase.namespace);
          return JSON.stringify(before) !== JSON.stringify(object);
        }),
      );
      assert.ok(met);
    });
  }
});

function stackOf({ values, release, namespace }: ChartCase<unknown>): InferenceStack {
  return stackWith(convertChart182(values).spec, release, namespace);
}

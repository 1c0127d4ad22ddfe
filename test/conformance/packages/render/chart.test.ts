import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { validate } from '../../../../packages/api/validate.ts';
import { stackWith } from '../../../support/people/stacks.ts';
import { CHART_0765D06, readFixture } from './case.ts';
import { CHART_VALUES, sets } from './chart-values.ts';
import { expected, rendered } from './compare.ts';
import { ADDED_KINDS, CONFIG_TITLE, DIFFERENCES } from './differences.ts';

const CASES = CHART_0765D06.cases();

describe('conformance with the public chart', () => {
  it('is judged by at least 60 sets of values', () => assert.ok(CASES.size >= 60, String(CASES.size)));

  it('is judged for every value of the chart', () => {
    const values = [...CASES.values()].map((chartCase) => chartCase.values);
    const missing = CHART_VALUES.filter((path) => !values.some((given) => sets(given, path)));
    assert.deepEqual(missing, []);
  });

  for (const [name, { values, release, namespace }] of CASES) {
    it(`holds for ${name}`, () => {
      const stack = stackWith(values, release, namespace);
      assert.deepEqual(validate(stack), { valid: true, stack });
      assert.deepEqual(rendered(stack), expected(readFixture(CHART_0765D06, name), stack, DIFFERENCES));
    });
  }
});

describe('every difference from the public chart', () => {
  const page = readFileSync(new URL('../../../../docs/reference/chart-differences.md', import.meta.url), 'utf8');
  for (const title of [...DIFFERENCES.map((difference) => difference.title), ADDED_KINDS.title, CONFIG_TITLE]) {
    it(`is documented: ${title}`, () => assert.ok(page.includes(`## ${title}\n`)));
  }

  for (const difference of DIFFERENCES) {
    it(`is met by some case: ${difference.title}`, () => {
      const met = [...CASES].some(([name, { values, namespace }]) =>
        readFixture(CHART_0765D06, name).some((object) => {
          const before = structuredClone(object);
          difference.apply(object, values, namespace);
          return JSON.stringify(before) !== JSON.stringify(object);
        }),
      );
      assert.ok(met);
    });
  }
});

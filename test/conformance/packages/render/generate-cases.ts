/**
 * Writes the generated cases: always the same ones, so that the recorded facts stay valid.
 *   node test/conformance/packages/render/generate-cases.ts
 * Run record.ts afterwards.
 */
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import yaml from 'js-yaml';
import { format } from 'prettier';
import { convertChart182 } from '../../../../cli/migrate/chart-1-8-2.ts';
import { validate } from '../../../../packages/api/validate.ts';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import { stackWith } from '../../../support/people/stacks.ts';
import { chartCase, chartCase182 } from './arbitrary-values.ts';
import { CASES, CASES_1_8_2, type ChartCase } from './case.ts';

const SEED = 20260107;

await write(CASES, chartCase, 60, (values) => values);
await write(CASES_1_8_2, chartCase182, 40, (values) => convertChart182(values).spec);

/** Writes as many cases as asked for of those that are, or are converted to, the spec of a valid stack. */
async function write<Values>(
  folder: URL,
  cases: fc.Arbitrary<ChartCase<Values>>,
  numRuns: number,
  specOf: (values: Values) => InferenceStackSpec,
): Promise<void> {
  const valid = cases.filter(
    ({ values, release, namespace }) => validate(stackWith(specOf(values), release, namespace)).valid,
  );
  for (const [index, generated] of fc.sample(valid, { numRuns, seed: SEED }).entries()) {
    const text = yaml.dump(generated, { noRefs: true, quotingType: "'" });
    const file = new URL(`generated-${String(index + 1).padStart(2, '0')}.yaml`, folder);
    writeFileSync(file, await format(text, { parser: 'yaml', singleQuote: true }));
  }
}

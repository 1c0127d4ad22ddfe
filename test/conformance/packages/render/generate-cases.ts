/**
 * Writes the generated cases: always the same ones, so that the recorded facts stay valid.
 *   node test/conformance/packages/render/generate-cases.ts
 * Run record.ts afterwards.
 */
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import yaml from 'js-yaml';
import { format } from 'prettier';
import { validate } from '../../../../packages/api/validate.ts';
import { stackWith } from '../../../support/people/stacks.ts';
import { chartCase } from './arbitrary-values.ts';

const COUNT = 60;
const SEED = 20260107;

const valid = chartCase.filter(
  ({ values, release, namespace }) => validate(stackWith(values, release, namespace)).valid,
);
for (const [index, generated] of fc.sample(valid, { numRuns: COUNT, seed: SEED }).entries()) {
  const file = new URL(`cases/generated-${String(index + 1).padStart(2, '0')}.yaml`, import.meta.url);
  writeFileSync(
    file,
    await format(yaml.dump(generated, { noRefs: true, quotingType: "'" }), { parser: 'yaml', singleQuote: true }),
  );
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import type { InferenceStack } from '../../../packages/api/types.ts';
import { STACK_KINDS } from '../../../packages/api/constants.ts';
import { parseOperatorRequest } from '../../../packages/api/operator-version.ts';
import { validate } from '../../../packages/api/validate.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { isObject, textAt } from '../../../packages/lib/json.ts';
import { render } from '../../../packages/render/render.ts';
import { contextWith } from '../../support/people/stacks.ts';

interface Shown {
  readonly page: string;
  readonly stack: unknown;
}

/** The stacks that a page shows whole. Parts of one have no kind. */
function stacksOn(page: string): Shown[] {
  const blocks = [...readFileSync(join(checkout, page), 'utf8').matchAll(/```yaml\n([^]*?)```/g)];
  return blocks
    .flatMap(([, text = '']) => yaml.loadAll(text))
    .filter((value) => isObject(value) && STACK_KINDS.includes(textAt(value, 'kind')))
    .map((stack) => ({ page, stack }));
}

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: checkout, encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && existsSync(join(checkout, page)));
const shown = pages.flatMap(stacksOn);

describe('the stacks that pages show', () => {
  it('are found, the one of the README among them', () => {
    assert.ok(shown.some(({ page }) => page === 'README.md'));
  });

  for (const { page, stack } of shown) {
    describe(`${page}: ${textAt(stack, 'metadata', 'name')}`, () => {
      it('is accepted by the API and asks for an operator', () => {
        const result = validate(stack);
        assert.ok(result.valid, JSON.stringify(result));
        assert.ok(parseOperatorRequest(textAt(stack, 'metadata', 'labels', 'operatorVersion')) !== undefined);
      });

      it('is rendered without a notice', () => {
        assert.deepEqual(render(stack as InferenceStack, contextWith()).notices, []);
      });
    });
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { validate } from '../../../../packages/api/validate.ts';
import { render } from '../../../../packages/render/render.ts';
import { RULES } from '../../../../policies/rules/index.ts';
import { contextWith } from '../../../support/people/stacks.ts';
import { violations } from '../../../support/policies/support.ts';

const PAGE = new URL('../../../../docs/how-to/harden-a-stack.md', import.meta.url);

describe('the stack of "Harden a stack"', () => {
  const text = /```yaml\n([^]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  const stack = yaml.load(text) as InferenceStack;

  it('is valid', () => assert.ok(validate(stack).valid));

  it('renders objects that no rule about single objects refuses', () => {
    const { objects } = render(stack, contextWith());
    assert.equal(objects.filter(({ kind }) => kind === 'Deployment').length, 2);
    for (const rule of RULES.filter(({ scope }) => scope === 'object')) {
      assert.deepEqual(violations(rule, objects), [], rule.name);
      assert.deepEqual(violations(rule, [stack]), [], rule.name);
    }
  });
});

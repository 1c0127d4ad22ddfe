import assert from 'node:assert/strict';
import type { Application, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { noticesOf } from '../../../support/people/notices.ts';

const TEMPLATE: Application = { engine: 'openai', image: { repository: 'registry.example/own', tag: '1' } };

function told(applications: Record<string, Application>, template: Application = {}): string[] {
  const spec: InferenceStackSpec = { applicationTemplate: { ...TEMPLATE, ...template }, applications };
  return noticesOf(spec);
}

const LONELY = 'Give the applications a common alias, or remove it.';

describe('notices about weights', () => {
  it('tell of one that shares nothing', () => {
    assert.deepEqual(told({ chat: { weight: 90 }, small: {} }), [
      `spec.applications.chat.weight: has no effect: no other application has one of its aliases. ${LONELY}`,
    ]);
    assert.deepEqual(told({ chat: { weight: 90, aliases: ['x'] }, small: { aliases: ['y', 'x'] } }), []);
  });

  it('count the names that applications have without aliases', () => {
    const model = { name: 'org/model' };
    assert.deepEqual(told({ chat: { weight: 90, model }, canary: { weight: 10, model } }), []);
    assert.deepEqual(told({ chat: { weight: 90 }, small: { weight: 10, aliases: ['chat'] } }), []);
  });

  it('tell of the template’s once, and only if no applications share anything', () => {
    const notice = `spec.applicationTemplate.weight: has no effect: no applications share an alias. ${LONELY}`;
    assert.deepEqual(told({ a: {}, b: {} }, { weight: 3 }), [notice]);
    assert.deepEqual(told({ a: {}, b: { aliases: ['a'] }, c: {} }, { weight: 3 }), []);
    assert.deepEqual(told({}, { weight: 3 }), []);
  });

  it('tell of an alias that nobody answers for, although there are pods', () => {
    const silent = (aliases: string, name = 'chat'): string =>
      `spec.applications.${name}.weight: leaves nobody to answer for ${aliases} (got 0). Give one a weight, or suspend all.`;
    const none = { weight: 0, aliases: ['x', 'y'] };
    assert.deepEqual(told({ chat: none }), [silent('x, y')]);
    assert.deepEqual(told({ chat: none, small: { ...none, aliases: ['y'] } }), [silent('x, y')]);
    assert.deepEqual(told({ chat: none, small: { aliases: ['x', 'y'] } }), []);
    assert.deepEqual(told({ chat: none, small: { aliases: ['x'] } }), [silent('y')]);
    // The other one has the weight, and no pods.
    assert.deepEqual(told({ chat: none, gone: { aliases: ['x'], weight: 100, suspend: true } }), [silent('x, y')]);
    assert.deepEqual(told({ chat: { ...none, suspend: true }, small: none }), [silent('x, y', 'small')]);
    assert.deepEqual(told({ chat: { ...none, suspend: true } }), []);
  });

  it('are short, however many and however long the aliases are', () => {
    const aliases = Array.from({ length: 20 }, (_, index) => `${'x'.repeat(200)}${String(index)}`);
    const [notice = '', ...others] = told({ ['n'.repeat(40)]: { weight: 0, aliases } });
    assert.deepEqual(others, []);
    assert.ok(notice.length <= 200, notice);
    assert.match(notice, / and 19 more/);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RULES } from '../../../../packages/api/rules.ts';
import { isObject, type OpenObject } from '../../../../packages/lib/json.ts';
import { anyStack } from '../../../support/operator/arbitrary-schema.ts';

describe('rules about new fields', function () {
  this.timeout(60_000);
  const about = RULES.filter(({ on, onlyWith }) => on === 'InferenceStackSpec' && onlyWith !== undefined);

  it('hold for whatever a stack says without these fields', () => {
    assert.ok(about.length >= 5);
    fc.assert(
      fc.property(anyStack, ({ spec }) => {
        for (const { message, onlyWith = [], holds } of about) {
          const older = structuredClone(spec) as OpenObject;
          for (const path of onlyWith) remove(older, path.split('.'));
          assert.ok(holds(older as never), message);
        }
      }),
    );
  });
});

/** Removes what is at a path, where `*` stands for every key. */
function remove(value: unknown, [key = '', ...rest]: readonly string[]): void {
  if (!isObject(value)) return;
  for (const name of key === '*' ? Object.keys(value) : [key]) {
    if (rest.length === 0) delete value[name];
    else remove(value[name], rest);
  }
}

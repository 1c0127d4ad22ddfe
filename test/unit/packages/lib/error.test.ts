import assert from 'node:assert/strict';
import { codeOf, messageOf } from '../../../../packages/lib/error.ts';

describe('what was thrown', () => {
  it('is told by its message, or as it is', () => {
    assert.equal(messageOf(new Error('it broke')), 'it broke');
    assert.equal(messageOf('it broke'), 'it broke');
    assert.equal(messageOf(undefined), 'undefined');
  });

  it('has a code where the system failed', () => {
    assert.equal(codeOf(Object.assign(new Error('no such file'), { code: 'ENOENT' })), 'ENOENT');
    assert.deepEqual([new Error('it broke'), { code: 'ENOENT' }, undefined].map(codeOf), ['', '', '']);
  });
});

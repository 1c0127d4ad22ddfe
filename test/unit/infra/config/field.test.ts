import assert from 'node:assert/strict';
import type { Problem } from '../../../../packages/lib/problem.ts';
import { group, list, text } from '../../../../infra/config/field.ts';

describe('a secret setting', () => {
  const password = text('A password.', { secret: true });
  const nested = {
    itself: password,
    'in a list': list('Passwords.', password),
    'in a group': group('A user.', { password }),
    'in a list of groups': list('Users.', group('A user.', { password })),
  };
  for (const [where, field] of Object.entries(nested)) {
    it(`is not shown by problems: ${where}`, () => {
      assert.equal(field.secret, true);
      const problems: Problem[] = [];
      for (const written of [false, { hunter2: 'hunter2' }, ['hunter2', false]]) field.read(written, 'at', problems);
      assert.ok(problems.length > 0);
      for (const problem of problems) assert.ok(!('value' in problem), JSON.stringify(problem));
    });
  }
});

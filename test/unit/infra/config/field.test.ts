import assert from 'node:assert/strict';
import type { Problem } from '../../../../packages/lib/problem.ts';
import { fragment, group, list, optional, text, texts, type Shape } from '../../../../infra/config/field.ts';

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

describe('a setting with something inside', () => {
  const name = text('A name.');
  const fields: Shape = {
    list: list('Names.', name),
    group: group('A user.', { name }),
    map: texts('Labels.'),
    fragment: fragment('A part.', ['name']),
  };
  for (const [what, field] of Object.entries(fields)) {
    it(`is handed over by Pulumi as JSON: ${what}`, () => {
      assert.equal(field.structured, true);
      assert.equal(optional(field).structured, true);
    });
  }

  it('is told apart from a text, which Pulumi hands over as it is', () => {
    assert.equal(name.structured, false);
  });
});

import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../../cli/migrate/without-secrets.ts';

const message = 'is wrong';

describe('a problem of values', () => {
  it('quotes what cannot be a secret', () => {
    const problem = { path: 'gateway.env[0].name', value: 'A', message };
    assert.equal(withoutSecrets(problem), problem);
  });

  it('quotes neither maps nor lists, nor variables and tokens', () => {
    for (const [path, value] of [
      ['gateway.env', { A: 'sk-secret' }],
      ['modelGroups', ['sk-secret']],
      ['spec.gateway.env[12].value', 123_456],
      ['spec.applications.a.readerConfig.accessToken', 123_456],
    ] as const) {
      assert.deepEqual(withoutSecrets({ path, value, message }), { path, message });
    }
  });
});

import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../../components/inference-stack/secrets.ts';

describe('a problem of a stack with secrets', () => {
  const secrets = { secret: ['spec.gateway.env'], secretTexts: [] };

  it('shows no value that is secret, or inside of one', () => {
    for (const path of ['spec.gateway.env', 'spec.gateway.env[0].value', 'spec.gateway.env.TOKEN']) {
      assert.equal(withoutSecrets({ path, value: 1, message: 'is wrong' }, secrets).value, '[secret]');
    }
  });

  it('shows the value of a neighbour whose name only begins alike', () => {
    const problem = { path: 'spec.gateway.envFrom', value: 1, message: 'is wrong' };
    assert.deepEqual(withoutSecrets(problem, secrets), problem);
  });
});

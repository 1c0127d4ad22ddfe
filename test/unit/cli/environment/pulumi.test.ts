import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { pulumiVariables } from '../../../../cli/environment/pulumi.ts';

describe('the environment in which Pulumi runs', () => {
  const environment = (env: Record<string, string>): Readonly<Record<string, string | undefined>> =>
    pulumiVariables(env, { embedded: false });

  it('names the same kubeconfig wherever the program runs', () => {
    assert.equal(environment({ KUBECONFIG: 'mine:/theirs:' })['KUBECONFIG'], `${resolve('mine')}:/theirs:`);
    assert.equal(environment({ KUBECONFIG: '' })['KUBECONFIG'], '');
    assert.equal('KUBECONFIG' in environment({}), false);
  });

  it('lets a person’s options of Node win', () => {
    assert.equal(environment({})['NODE_OPTIONS'], '--max-semi-space-size=64');
    assert.match(
      environment({ NODE_OPTIONS: '--max-semi-space-size=8' })['NODE_OPTIONS'] ?? '',
      / --max-semi-space-size=8$/,
    );
  });
});

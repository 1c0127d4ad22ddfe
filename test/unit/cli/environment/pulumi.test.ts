import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { loadSettings } from '../../../../infra/config/load.ts';
import { SETTINGS_FILE_VARIABLE } from '../../../../infra/config/project.ts';
import { pulumiVariables } from '../../../../cli/environment/pulumi.ts';

describe('the environment in which Pulumi runs', () => {
  const environment = (env: Record<string, string>): Readonly<Record<string, string | undefined>> =>
    pulumiVariables(env, { embedded: false, name: 'mine.yaml' });

  it('names the same kubeconfig wherever the program runs', () => {
    assert.equal(environment({ KUBECONFIG: 'mine:/theirs:' })['KUBECONFIG'], `${resolve('mine')}:/theirs:`);
    assert.equal(environment({ KUBECONFIG: '' })['KUBECONFIG'], '');
    assert.equal('KUBECONFIG' in environment({}), false);
  });

  it('tells the program which file its settings are from, since Pulumi gets a copy', () => {
    assert.equal(environment({})[SETTINGS_FILE_VARIABLE], 'mine.yaml');
    const load = (file?: string): unknown => loadSettings('prod', {}, file);
    assert.throws(() => load('mine.yaml'), /^ProblemsError: mine\.yaml: operators: /m);
    assert.throws(() => load(), /^ProblemsError: Pulumi\.prod\.yaml: operators: /m);
  });

  it('lets a person’s options of Node win', () => {
    assert.equal(environment({})['NODE_OPTIONS'], '--max-semi-space-size=64');
    assert.match(
      environment({ NODE_OPTIONS: '--max-semi-space-size=8' })['NODE_OPTIONS'] ?? '',
      / --max-semi-space-size=8$/,
    );
  });
});

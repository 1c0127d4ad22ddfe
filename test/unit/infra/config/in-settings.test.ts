import assert from 'node:assert/strict';
import { inSettings, refusedInSettings } from '../../../../infra/config/in-settings.ts';
import { ProblemsError } from '../../../../packages/lib/problem.ts';

const PROBLEM = { object: 'olm.yaml', path: 'manifest', message: 'cannot be read' };

describe('a problem of what a component is given', () => {
  it('is told by the setting that it is given from', () => {
    assert.deepEqual(inSettings('olm', [PROBLEM]), [{ ...PROBLEM, path: 'olm.manifest' }]);
  });

  it('is told so as well where the component throws it, and another failure as it is', async () => {
    await assert.rejects(
      refusedInSettings('olm', () => Promise.reject(new ProblemsError([PROBLEM]))),
      /^ProblemsError: olm\.yaml: olm\.manifest: cannot be read$/,
    );
    await assert.rejects(
      refusedInSettings('olm', () => Promise.reject(new Error('no network'))),
      /^Error: no network$/,
    );
    assert.equal(await refusedInSettings('olm', () => Promise.resolve(1)), 1);
  });
});

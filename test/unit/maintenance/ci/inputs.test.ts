import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { inputs } from '../../../../maintenance/ci/inputs.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';

describe('what people type into the form of a workflow', () => {
  const good = { VERSION: 'v1.2.3-rc.1', CHANNEL: 'fast', REASON: 'It loses "$5" requests; `often`.' };

  it('is taken if it is what it should be', async () => {
    await inputs(good);
    await inputs({ VERSION: 'v1.2.3' });
  });

  it('is refused if make or a shell would run it', async () => {
    const wrong = {
      VERSION: ['v1.2.3;id', 'v1.2.3$(shell id)', 'v1.2.3\nid', '1.2.3', ''],
      CHANNEL: ['candidate;id', '$(shell id)', 'candidate fast', 'candidate,fast', ''],
      REASON: ['two\nlines', '', 'x'.repeat(201)],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values)
        await assert.rejects(inputs({ ...good, [name]: value }), new RegExp(`^ProblemsError: ${name}: is not|are not`));
    }
  });

  it('is not run by make on the way to the check', () => {
    const env = { ...process.env, VERSION: 'v1.0.0$(error make has run it)`false`' };
    const { status, stderr } = spawnSync('make', ['ci-inputs'], { cwd: checkout, env, encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^VERSION: is not a version \(got "v1\.0\.0\$\(error make has run it\)`false`"\)\. Use a version such as v1\.2\.3\.\n/,
    );
  });
});

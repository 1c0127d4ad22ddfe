import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundle } from '../../../../components/bundle/bundle.ts';
import { textImageContext, writeContext } from '../../../../components/images/build-context.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { run } from '../../../../packages/lib/command.ts';
import { findProgram } from '../../../support/machine/program.ts';

/** Runs `operator-sdk bundle validate` and returns everything that it complains about. */
async function validate(directory: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(findProgram('operator-sdk'), ['bundle', 'validate', directory, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` });
    });
  });
}

describe('the operator bundle, judged by operator-sdk', function () {
  this.timeout(60_000);
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bundle-'));
    const bundle = buildBundle({
      version: 'v1.2.3',
      crdVersion: 'v1alpha1',
      controllerImage: `docker.io/tytn/operator@sha256:${'a'.repeat(64)}`,
      created: new Date('2026-01-02T03:04:05Z'),
      source: 'https://example.com/fleet',
    });
    writeContext(directory, textImageContext(bundle));
  });

  after(() => rm(directory, { recursive: true }));

  it('is valid', async () => {
    const { code, output } = await validate(directory);
    assert.equal(code, 0, output);
  });

  it('passes the suite of the operator framework', async () => {
    const { code, output } = await validate(directory, '--select-optional', 'suite=operatorframework');
    assert.equal(code, 0, output);
  });

  describe('as `make community-bundle` writes it', () => {
    const controller = `CONTROLLER_IMAGE=docker.io/tytn/operator@sha256:${'a'.repeat(64)}`;
    const make = (...args: readonly string[]): Promise<string> =>
      run('make', ['community-bundle', 'VERSION=v1.2.3', `COMMUNITY=${directory}/community`, ...args], {
        cwd: checkout,
      });

    it('passes the suites of community operators and of good practices, without a warning about the bundle', async () => {
      await make(controller);
      const bundle = join(directory, 'community/operators/inference-stack-operator/1.2.3');
      assert.deepEqual((await readdir(bundle)).sort(), ['manifests', 'metadata']);
      for (const suite of ['suite=operatorframework', 'name=community', 'name=good-practices']) {
        const { code, output } = await validate(bundle, '--select-optional', suite);
        assert.equal(code, 0, output);
        const warnings = output.split('\n').filter((line) => /level=(?:warning|error)/.test(line));
        assert.deepEqual(
          warnings.filter((line) => !line.includes('validator is deprecated')),
          [],
          suite,
        );
      }
    });

    it('leaves the settings of the package alone that the repository has', async () => {
      const settings = join(directory, 'community/operators/inference-stack-operator/ci.yaml');
      assert.equal(await readFile(settings, 'utf8'), 'updateGraph: semver-mode\n');
      await writeFile(settings, 'reviewers: [someone]\n');
      await make(controller);
      assert.equal(await readFile(settings, 'utf8'), 'reviewers: [someone]\n');
    });
  });
});

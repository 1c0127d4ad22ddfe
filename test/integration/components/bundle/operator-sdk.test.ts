import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBundle } from '../../../../components/bundle/bundle.ts';
import { textImageContext, writeContext } from '../../../../components/images/build-context.ts';
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
});

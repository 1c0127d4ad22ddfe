import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';

const START = `
import { configuredLayout } from '${checkout}/cluster/embedded/layout.ts';
import { Machine } from '${checkout}/cluster/embedded/machine.ts';
await new Machine(configuredLayout()).start('unused').catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
`;

describe('a machine that may not make namespaces', function () {
  this.timeout(20_000);
  let directory: string;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'namespaces-'))));
  after(() => rmSync(directory, { recursive: true }));

  /** Starts a machine in a process of its own, with another \`unshare\`, or none; it is killed if it does not end by itself. */
  async function start(path: string): Promise<{ code: unknown; message: string }> {
    const env = { ...process.env, PATH: path, CLUSTER_STATE: directory };
    const args = ['--input-type=module', '--eval', START];
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env, timeout: 10_000 }, (error, _, message) => {
        resolve({ code: error?.code, message });
      });
    });
  }

  it('ends with one message that says what to do', async () => {
    const unshare = '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n';
    writeFileSync(join(directory, 'unshare'), unshare, { mode: 0o755 });
    assert.deepEqual(await start(`${directory}:/bin:/usr/bin`), {
      code: 1,
      message:
        'embedded cluster: namespaces: cannot be made: unshare: unshare failed: Operation not permitted. A container must be ' +
        'privileged to make namespaces and mounts. Use your own cluster instead: docs/how-to/use-your-own-cluster.md.\n',
    });
  });

  it('says so where there is no unshare', async () => {
    const { code, message } = await start('/nowhere');
    assert.equal(code, 1);
    assert.match(message, /^embedded cluster: namespaces: cannot be made: spawn unshare ENOENT\. /);
  });
});

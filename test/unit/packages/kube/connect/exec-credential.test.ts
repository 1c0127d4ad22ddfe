import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialFromExec } from '../../../../../packages/kube/connect/exec-credential.ts';

describe('credential plugins', () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plugin-'));
    path = join(directory, 'plugin');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('are asked again only when their token is about to expire', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const count = join(directory, 'count');
    await writeFile(
      path,
      `#!/bin/sh
echo x >> ${count}
echo '{"status":{"token":"t'$(wc -l < ${count})'","expirationTimestamp":"2030-01-01T01:00:00Z"}}'`,
    );
    await chmod(path, 0o755);
    const credential = credentialFromExec({ command: path }, () => now);
    assert.equal((await credential()).token, 't1');
    assert.equal((await credential()).token, 't1');
    now = Date.parse('2030-01-01T00:59:45Z');
    assert.equal((await credential()).token, 't2');
  });

  it('are started once, however many requests wait for the token', async () => {
    const count = join(directory, 'count');
    await writeFile(path, `#!/bin/sh\necho x >> ${count}\necho '{"status":{"token":"t'$(wc -l < ${count})'"}}'`);
    await chmod(path, 0o755);
    const credential = credentialFromExec({ command: path });
    const seven = await Promise.all(Array.from({ length: 7 }, () => credential()));
    assert.deepEqual(
      seven.map(({ token }) => token),
      Array.from({ length: 7 }, () => 't1'),
    );
  });

  it('are asked again after they have failed', async () => {
    await writeFile(path, `#!/bin/sh\ntest -f ${directory}/logged-in && echo '{"status":{"token":"t"}}'`);
    await chmod(path, 0o755);
    const credential = credentialFromExec({ command: path });
    const failed = await Promise.allSettled([credential(), credential()]);
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    await writeFile(join(directory, 'logged-in'), '');
    assert.equal((await credential()).token, 't');
  });

  it('are said not to be installed, with what they say of that themselves', async () => {
    const command = join(directory, 'gone');
    await assert.rejects(credentialFromExec({ command, installHint: 'Install it from example.com.' })(), {
      message: `credential plugin ${command}: is not installed. Install it from example.com.`,
    });
  });

  it('are shown with what they complained of, and nothing of what they gave', async () => {
    const failed = { command: 'sh', args: ['-c', 'echo hunter2; echo "log in first" >&2; exit 3'] };
    await assert.rejects(credentialFromExec(failed)(), {
      message: 'credential plugin sh: ended with exit code 3. log in first',
    });
    const byHand = 'Run the command by hand to see what it prints.';
    const cut = { command: 'echo', args: ['{"token":hunter2}'] };
    await assert.rejects(credentialFromExec(cut)(), {
      message: `credential plugin echo: the answer is not valid JSON. ${byHand}`,
    });
    for (const answer of ['{}', '{"status":null}', '{"status":{"clientCertificateData":"without a key"}}']) {
      await assert.rejects(credentialFromExec({ command: 'echo', args: [answer] })(), {
        message: `credential plugin echo: status: has neither a token nor a client certificate with its key. ${byHand}`,
      });
    }
  });
});

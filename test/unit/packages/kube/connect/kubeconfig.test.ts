import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inClusterConnection, tokenFromFile } from '../../../../../packages/kube/connect/connection.ts';
import { tokenFromExec } from '../../../../../packages/kube/connect/exec-credential.ts';
import { loadConnection } from '../../../../../packages/kube/connect/kubeconfig.ts';

function kubeconfig(user: Record<string, unknown>): string {
  return JSON.stringify({
    'current-context': 'here',
    contexts: [
      { name: 'here', context: { cluster: 'one', user: 'me', namespace: 'team-a' } },
      { name: 'lost', context: { cluster: 'nowhere', user: 'me' } },
    ],
    clusters: [{ name: 'one', cluster: { server: 'https://one.example:6443', 'certificate-authority': 'ca.pem' } }],
    users: [{ name: 'me', user }],
  });
}

describe('finding the cluster', () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
    path = join(directory, 'config');
    await writeFile(join(directory, 'ca.pem'), 'the authority');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('reads server, authority and namespace, with paths relative to the file', async () => {
    await writeFile(path, kubeconfig({ token: 'abc' }));
    const connection = await loadConnection({ kubeconfig: path });
    assert.equal(connection.server.host, 'one.example:6443');
    assert.equal(connection.ca, 'the authority');
    assert.equal(connection.namespace, 'team-a');
    assert.equal(await connection.token?.(), 'abc');
  });

  it('decodes a client certificate that is written into the file', async () => {
    const data = Buffer.from('a certificate').toString('base64');
    await writeFile(path, kubeconfig({ 'client-certificate-data': data, 'client-key-data': data }));
    const connection = await loadConnection({ env: { KUBECONFIG: path } });
    assert.equal(connection.cert, 'a certificate');
    assert.equal(connection.key, 'a certificate');
  });

  it('lets the first of several files win', async () => {
    const other = join(directory, 'other');
    await writeFile(path, kubeconfig({ token: 'first' }));
    await writeFile(other, kubeconfig({ token: 'second' }));
    const connection = await loadConnection({ env: { KUBECONFIG: `${path}:${other}` } });
    assert.equal(await connection.token?.(), 'first');
  });

  it('passes over files of a list that are not there, and says so only when none is', async () => {
    const gone = join(directory, 'gone');
    await writeFile(path, kubeconfig({ token: 'abc' }));
    const connection = await loadConnection({ env: { KUBECONFIG: `${gone}:${path}` } });
    assert.equal(await connection.token?.(), 'abc');
    await assert.rejects(loadConnection({ kubeconfig: gone }), {
      message: `kubeconfig ${gone}: there is no such file. Name one with KUBECONFIG or --kubeconfig.`,
    });
  });

  it('names the context or cluster that is missing, and those that are there', async () => {
    await writeFile(path, kubeconfig({}));
    await assert.rejects(loadConnection({ kubeconfig: path, context: 'none' }), {
      message: `kubeconfig ${path}: contexts: has no entry of this name (got "none"). It has: here, lost.`,
    });
    await assert.rejects(loadConnection({ kubeconfig: path, context: 'lost' }), {
      message: `kubeconfig ${path}: clusters: has no entry of this name (got "nowhere"). It has: one.`,
    });
  });

  it('says that no context is chosen, or that there is none', async () => {
    await writeFile(path, JSON.stringify({ contexts: [{ name: 'here' }, { name: 'there' }] }));
    await assert.rejects(loadConnection({ kubeconfig: path }), {
      message:
        `kubeconfig ${path}: current-context: is not set. ` +
        'It has: here, there. Choose one with `kubectl config use-context`.',
    });
    await writeFile(path, '{}');
    await assert.rejects(loadConnection({ kubeconfig: path, context: 'here' }), {
      message: `kubeconfig ${path}: contexts: has no entry of this name (got "here"). The list is empty.`,
    });
  });

  it('uses the account of the pod when it runs in one', async () => {
    await mkdir(join(directory, 'account'));
    for (const [name, text] of [
      ['ca.crt', 'ca'],
      ['namespace', 'operators\n'],
      ['token', 'pod-token\n'],
    ] as const) {
      await writeFile(join(directory, 'account', name), text);
    }
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const connection = await inClusterConnection(env, join(directory, 'account'));
    assert.equal(connection.server.href, 'https://[fd00::1]/');
    assert.equal(connection.namespace, 'operators');
    assert.equal(await connection.token?.(), 'pod-token');
    await assert.rejects(inClusterConnection({}), /KUBERNETES_SERVICE_HOST.*KUBECONFIG/);
  });

  it('reads a token file again after a minute, not before', async () => {
    let now = 0;
    await writeFile(path, 'old');
    const token = tokenFromFile(path, () => now);
    assert.equal(await token(), 'old');
    await writeFile(path, 'new');
    now = 59_000;
    assert.equal(await token(), 'old');
    now = 60_000;
    assert.equal(await token(), 'new');
  });

  it('goes on with its token while the file cannot be read', async () => {
    let now = 0;
    const token = tokenFromFile(path, () => now);
    await assert.rejects(token(), /ENOENT/);
    await writeFile(path, 'old');
    assert.equal(await token(), 'old');
    await rm(path);
    now = 60_000;
    assert.equal(await token(), 'old');
    await writeFile(path, 'new');
    assert.equal(await token(), 'new');
  });

  it('asks a credential plugin again only when its token is about to expire', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    const count = join(directory, 'count');
    await writeFile(
      path,
      `#!/bin/sh
echo x >> ${count}
echo '{"status":{"token":"t'$(wc -l < ${count})'","expirationTimestamp":"2030-01-01T01:00:00Z"}}'`,
    );
    await chmod(path, 0o755);
    const token = tokenFromExec({ command: path }, () => now);
    assert.equal(await token(), 't1');
    assert.equal(await token(), 't1');
    now = Date.parse('2030-01-01T00:59:45Z');
    assert.equal(await token(), 't2');
  });

  it('starts a credential plugin once, however many requests wait for its token', async () => {
    const count = join(directory, 'count');
    await writeFile(path, `#!/bin/sh\necho x >> ${count}\necho '{"status":{"token":"t'$(wc -l < ${count})'"}}'`);
    await chmod(path, 0o755);
    const token = tokenFromExec({ command: path });
    const seven = await Promise.all(Array.from({ length: 7 }, () => token()));
    assert.deepEqual(
      seven,
      Array.from({ length: 7 }, () => 't1'),
    );
  });

  it('asks a credential plugin again after it has failed', async () => {
    await writeFile(path, `#!/bin/sh\ntest -f ${directory}/logged-in && echo '{"status":{"token":"t"}}'`);
    await chmod(path, 0o755);
    const token = tokenFromExec({ command: path });
    const failed = await Promise.allSettled([token(), token()]);
    assert.deepEqual(
      failed.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    await writeFile(join(directory, 'logged-in'), '');
    assert.equal(await token(), 't');
  });

  it('shows nothing of a file that it cannot read but the place', async () => {
    await writeFile(path, 'users:\n- name: me\n  user:\n    token: s3cr3t\n\tbroken: here\n');
    await assert.rejects(loadConnection({ kubeconfig: path }), {
      message: `kubeconfig ${path}: is no YAML: line 5, column 1: tab characters must not be used in indentation`,
    });
  });

  it('says what a credential plugin did not give, and nothing of what it gave', async () => {
    const exec = { command: 'echo', args: ['{}'] };
    await assert.rejects(tokenFromExec(exec)(), /credential plugin echo: status.token: is missing/);
    const certificate = { command: 'echo', args: ['{"status":{"token":"t","clientCertificateData":"c"}}'] };
    await assert.rejects(
      tokenFromExec(certificate)(),
      /plugin echo: status.clientCertificateData: is not supported\. Only/,
    );
    const cut = { command: 'echo', args: ['{"token":hunter2}'] };
    await assert.rejects(tokenFromExec(cut)(), {
      message:
        'credential plugin echo: the answer is no JSON. ' +
        'Only plugins that give a token are supported; run the command by hand to see what it prints.',
    });
  });
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inClusterConnection, tokenFromFile } from '../../../../../packages/kube/connect/connection.ts';
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
    assert.deepEqual(await connection.credential?.(), { token: 'abc' });
  });

  it('decodes a client certificate that is written into the file', async () => {
    const data = Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64');
    await writeFile(path, kubeconfig({ 'client-certificate-data': data, 'client-key-data': data }));
    const connection = await loadConnection({ env: { KUBECONFIG: path } });
    assert.equal(connection.cert, '-----BEGIN CERTIFICATE-----');
    assert.equal(connection.key, '-----BEGIN CERTIFICATE-----');
  });

  it('lets the first of several files win', async () => {
    const other = join(directory, 'other');
    await writeFile(path, kubeconfig({ token: 'first' }));
    await writeFile(other, kubeconfig({ token: 'second' }));
    const connection = await loadConnection({ env: { KUBECONFIG: `${path}:${other}` } });
    assert.deepEqual(await connection.credential?.(), { token: 'first' });
  });

  it('passes over files of a list that are not there, and says so only when none is', async () => {
    const gone = join(directory, 'gone');
    await writeFile(path, kubeconfig({ token: 'abc' }));
    const connection = await loadConnection({ env: { KUBECONFIG: `${gone}:${path}` } });
    assert.deepEqual(await connection.credential?.(), { token: 'abc' });
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
    assert.deepEqual(await connection.credential?.(), { token: 'pod-token' });
    await assert.rejects(inClusterConnection({}), /KUBERNETES_SERVICE_HOST.*KUBECONFIG/);
  });

  it('reads a token file again after a minute, not before', async () => {
    let now = 0;
    await writeFile(path, 'old');
    const credential = tokenFromFile(path, () => now);
    assert.deepEqual(await credential(), { token: 'old' });
    await writeFile(path, 'new');
    now = 59_000;
    assert.deepEqual(await credential(), { token: 'old' });
    now = 60_000;
    assert.deepEqual(await credential(), { token: 'new' });
  });

  it('goes on with its token while the file cannot be read', async () => {
    let now = 0;
    const credential = tokenFromFile(path, () => now);
    await assert.rejects(credential(), /ENOENT/);
    await writeFile(path, 'old');
    assert.deepEqual(await credential(), { token: 'old' });
    await rm(path);
    now = 60_000;
    assert.deepEqual(await credential(), { token: 'old' });
    await writeFile(path, 'new');
    assert.deepEqual(await credential(), { token: 'new' });
  });

  it('shows nothing of a file that it cannot read but the place', async () => {
    await writeFile(path, 'users:\n- name: me\n  user:\n    token: s3cr3t\n\tbroken: here\n');
    await assert.rejects(loadConnection({ kubeconfig: path }), {
      message: `kubeconfig ${path}: is not valid YAML: line 5, column 1: tab characters must not be used in indentation. Indent by spaces.`,
    });
  });
});

import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../../../../packages/kube/client/client.ts';
import { loadConnection } from '../../../../../packages/kube/connect/kubeconfig.ts';
import { ApiOverTls, type Shown } from '../../../../support/kubernetes/api-over-tls.ts';

const NAMESPACES = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
const DAY_MS = 24 * 3600 * 1000;

describe('who a kubeconfig says we are, in the eyes of a server', () => {
  let directory: string;
  let path: string;
  let api: ApiOverTls;

  before(async () => {
    api = await ApiOverTls.start({ ipAddresses: ['127.0.0.1'] });
  });
  after(() => api.stop());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
    path = join(directory, 'config');
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function write(user: object | undefined, cluster: object = api.cluster): Promise<string> {
    const config = {
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'one', ...(user === undefined ? {} : { user: 'me' }) } }],
      clusters: [{ name: 'one', cluster }],
      users: [{ name: 'me', user: user ?? { token: 'of somebody else' } }],
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  }

  async function newClient(user: object | undefined, cluster?: object): Promise<Client> {
    return new Client(await loadConnection({ kubeconfig: await write(user, cluster), env: {} }));
  }

  async function ask(client: Client): Promise<Shown | undefined> {
    await client.get(NAMESPACES, { name: 'default' });
    return api.shown.at(-1);
  }

  async function shown(user: object | undefined, cluster?: object): Promise<Shown | undefined> {
    const client = await newClient(user, cluster);
    return ask(client).finally(() => client.close());
  }

  const bearer = (token: string): Shown => ({ authorization: `Bearer ${token}`, certificate: undefined });

  async function plugin(name: string, answer: string): Promise<string> {
    await writeFile(join(directory, name), `#!/bin/sh\n${answer}\n`);
    await chmod(join(directory, name), 0o755);
    return `./${name}`;
  }

  it('is nobody without a user', async () => {
    assert.deepEqual(await shown(undefined), { authorization: undefined, certificate: undefined });
    assert.deepEqual(await shown({}), { authorization: undefined, certificate: undefined });
  });

  it('is shown by a token, from a file before one that is written down', async () => {
    await writeFile(join(directory, 'token'), 'from-file\n');
    assert.deepEqual(await shown({ token: 'written' }), bearer('written'));
    assert.deepEqual(await shown({ tokenFile: 'token', token: 'written' }), bearer('from-file'));
  });

  it('is shown by a certificate, written down before one from a file', async () => {
    const [jane, joe] = [await api.clientCertificate('jane'), await api.clientCertificate('joe')];
    await writeFile(join(directory, 'cert.pem'), jane.cert);
    await writeFile(join(directory, 'key.pem'), jane.key);
    const files = { 'client-certificate': 'cert.pem', 'client-key': 'key.pem' };
    const data = {
      'client-certificate-data': Buffer.from(joe.cert).toString('base64'),
      'client-key-data': Buffer.from(joe.key).toString('base64'),
    };
    assert.deepEqual(await shown(files), { authorization: undefined, certificate: 'jane' });
    assert.deepEqual(await shown({ ...files, ...data }), { authorization: undefined, certificate: 'joe' });
  });

  it('is shown by name and password', async () => {
    const authorization = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
    assert.deepEqual(await shown({ username: 'me', password: 'hunter2' }), { authorization, certificate: undefined });
  });

  it('is shown by the token of a credential plugin, which is found from the folder of the file', async () => {
    const command = await plugin('login', `echo '{"status":{"token":"given"}}'`);
    assert.deepEqual(await shown({ exec: { command } }), bearer('given'));
  });

  it('is shown by the certificate of a credential plugin, and by the next one after it', async () => {
    const answers = await Promise.all(
      ['first', 'second'].map(async (name, index) => {
        const { cert, key } = await api.clientCertificate(name);
        // The first one is over at once.
        const expirationTimestamp = new Date(Date.now() + index * DAY_MS).toISOString();
        const status = { clientCertificateData: cert, clientKeyData: key, expirationTimestamp };
        await writeFile(join(directory, name), JSON.stringify({ status }));
        return join(directory, name);
      }),
    );
    const command = await plugin('login', `cat ${answers[0]} && cp ${answers[1]} ${answers[0]}`);
    const connection = await loadConnection({ kubeconfig: await write({ exec: { command } }), env: {} });
    const client = new Client(connection);
    // Another connection to the server is what shows another certificate.
    const other = new Client(connection);
    try {
      assert.deepEqual(await ask(client), { authorization: undefined, certificate: 'first' });
      assert.deepEqual(await ask(other), { authorization: undefined, certificate: 'second' });
    } finally {
      client.close();
      other.close();
    }
  });

  it('is shown by the token of OpenID Connect until it expires, and then by the one that kubectl has written', async () => {
    const token = (exp: number): string =>
      ['{}', JSON.stringify({ exp }), 's'].map((part) => Buffer.from(part).toString('base64url')).join('.');
    const user = (idToken: string): object => ({ 'auth-provider': { name: 'oidc', config: { 'id-token': idToken } } });
    const [old, fresh] = [token(1_000_000_000), token(Math.floor((Date.now() + DAY_MS) / 1000))];
    const client = await newClient(user(old));
    try {
      await assert.rejects(ask(client), {
        message:
          `kubeconfig ${path}: users["me"].auth-provider.config.id-token: has expired. ` +
          'Run any kubectl command with this kubeconfig, such as `kubectl version`: it renews the token there.',
      });
      await write(user(fresh));
      assert.deepEqual(await ask(client), bearer(fresh));
    } finally {
      client.close();
    }
  });

  it('is told to no server whose certificate is not to be trusted, unless it says to trust any', async () => {
    const { server } = api.cluster;
    const before = api.shown.length;
    await assert.rejects(shown({ token: 't' }, { server }), /unable to verify|self-signed/);
    assert.equal(api.shown.length, before);
    assert.deepEqual(await shown({ token: 't' }, { server, 'insecure-skip-tls-verify': true }), bearer('t'));
  });
});

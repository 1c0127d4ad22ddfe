import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCa, issueLeaf } from '../../../../../components/certificates/certificate.ts';
import { Client } from '../../../../../packages/kube/client/client.ts';
import { run } from '../../../../../packages/lib/command.ts';
import { loadConnection } from '../../../../../packages/kube/connect/kubeconfig.ts';

const NAMESPACES = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

interface Parts {
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
}

describe('what a kubeconfig says about the way to the cluster', () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
    path = join(directory, 'config');
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function write({ cluster = {}, user = {} }: Parts): Promise<string> {
    const config = {
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'one', user: 'me' } }],
      clusters: [
        { name: 'one', cluster: { server: 'https://one.example', ...cluster } },
        { name: 'other', cluster: { server: 'https://other.example', 'proxy-url': 'http://proxy.example' } },
      ],
      users: [
        { name: 'me', user },
        { name: 'other', user: { 'auth-provider': { name: 'oidc' } } },
      ],
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  }

  /** The headers of a request that is sent with a kubeconfig of these parts. */
  async function sentWith(user: Parts['user']): Promise<http.IncomingMessage> {
    let seen: http.IncomingMessage | undefined;
    const server = http.createServer((request, response) => {
      seen = request;
      response.setHeader('content-type', 'application/json').end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kubeconfig = await write({ cluster: { server: address }, ...(user === undefined ? {} : { user }) });
    const client = new Client(await loadConnection({ kubeconfig }));
    try {
      await client.get(NAMESPACES, { name: 'default' });
    } finally {
      client.close();
      server.close();
    }
    assert.ok(seen);
    return seen;
  }

  it('is done as somebody else where it says so, with their id, groups and what else is known of them', async () => {
    const { headersDistinct } = await sentWith({
      token: 'mine',
      as: 'jane',
      'as-uid': '42',
      'as-groups': ['dev', 'ops'],
      'as-user-extra': { scopes: ['view', 'edit'], 'example.com/team%é': ['a'] },
    });
    assert.deepEqual(headersDistinct['authorization'], ['Bearer mine']);
    assert.deepEqual(headersDistinct['impersonate-user'], ['jane']);
    assert.deepEqual(headersDistinct['impersonate-uid'], ['42']);
    assert.deepEqual(headersDistinct['impersonate-group'], ['dev', 'ops']);
    assert.deepEqual(headersDistinct['impersonate-extra-scopes'], ['view', 'edit']);
    assert.deepEqual(headersDistinct['impersonate-extra-example.com%2fteam%25%c3%a9'], ['a']);
  });

  it('is done as oneself where it says nothing', async () => {
    const names = Object.keys((await sentWith({ token: 'mine', as: '', 'as-groups': [] })).headers);
    assert.deepEqual(
      names.filter((name) => name.startsWith('impersonate')),
      [],
    );
  });

  it('checks the certificate of the server against the name that it gives', async () => {
    const ca = await issueCa({ commonName: 'test', days: 1 });
    const leaf = await issueLeaf(ca, { commonName: 'x', dnsNames: ['api.example'], usages: ['server'], days: 1 });
    const server = https.createServer(leaf, (_, response) => {
      response.setHeader('content-type', 'application/json').end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const cluster = {
      server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'certificate-authority-data': Buffer.from(ca.cert).toString('base64'),
    };
    const ask = async (parts: Parts): Promise<unknown> => {
      const client = new Client(await loadConnection({ kubeconfig: await write(parts) }));
      return client.get(NAMESPACES, { name: 'default' }).finally(() => client.close());
    };
    try {
      await ask({ cluster: { ...cluster, 'tls-server-name': 'api.example' } });
      await assert.rejects(ask({ cluster }), /does not match certificate's altnames/);
    } finally {
      server.close();
    }
  });

  it('is told to a credential plugin that asks for it', async () => {
    const plugin = join(directory, 'plugin');
    const seen = join(directory, 'seen');
    await writeFile(plugin, `#!/bin/sh\nprintf %s "$KUBERNETES_EXEC_INFO" > ${seen}\necho '{"status":{"token":"t"}}'`);
    await chmod(plugin, 0o755);
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } };
    const cluster = {
      'certificate-authority-data': Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64'),
      'tls-server-name': 'api.example',
      extensions: [{ name: 'other', extension: {} }, extension],
    };
    const told = async (provideClusterInfo: boolean): Promise<unknown> => {
      const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: plugin, provideClusterInfo };
      const connection = await loadConnection({ kubeconfig: await write({ cluster, user: { exec } }) });
      await connection.credential?.();
      return (JSON.parse(await readFile(seen, 'utf8')) as { spec: { cluster?: unknown } }).spec.cluster;
    };
    assert.equal(await told(false), undefined);
    assert.deepEqual(await told(true), {
      server: 'https://one.example',
      'certificate-authority-data': cluster['certificate-authority-data'],
      'tls-server-name': 'api.example',
      config: { audience: 'a' },
    });
  });

  describe('is refused, and not passed over,', () => {
    const refused = async (parts: Parts, message: string): Promise<void> => {
      const gone = join(directory, 'gone');
      const kubeconfig = `${gone}:${await write(parts)}`;
      await assert.rejects(loadConnection({ kubeconfig }), { name: 'ProblemsError', message });
    };

    it('where it leads through a proxy of another kind', async () => {
      await refused(
        { cluster: { 'proxy-url': 'ftp://robot:hunter2@proxy.example:3128' } },
        `kubeconfig ${path}: clusters["one"].proxy-url: is not a usable URL (got "ftp://***@proxy.example:3128"). ` +
          'Write the scheme as well; supported are http://, https://, socks5://, socks5h://.',
      );
    });

    it('where it leads nowhere', async () => {
      await refused(
        { cluster: { server: 'one.example:6443' } },
        `kubeconfig ${path}: clusters["one"].server: is not a usable URL (got "one.example:6443"). ` +
          'Write the scheme as well; supported are http://, https://.',
      );
    });

    it('where the user comes from something that is not supported', async () => {
      await refused(
        { user: { 'auth-provider': { name: 'gcp', config: { 'access-token': 'hunter2' } } } },
        `kubeconfig ${path}: users["me"].auth-provider: is not supported, and kubectl no longer supports it either (got "gcp"). ` +
          'Use a token, a client certificate, a credential plugin (exec) or the provider oidc.',
      );
      await refused(
        { user: { username: 'me', password: 'hunter2', token: 'hunter3' } },
        `kubeconfig ${path}: users["me"].username: is set together with a token, but a request carries only one of them (got "me"). ` +
          'Leave out one of them.',
      );
    });

    it('where a plugin always asks, and nobody is there to answer', async () => {
      const kubeconfig = await write({ user: { exec: { command: 'login', interactiveMode: 'Always' } } });
      const script = `
        import { loadConnection } from ${JSON.stringify(new URL('../../../../../packages/kube/connect/kubeconfig.ts', import.meta.url).href)};
        await loadConnection({ kubeconfig: ${JSON.stringify(kubeconfig)} }).catch((error) => console.log(error.message));`;
      // In a process of its own: whoever runs the tests may have a terminal.
      assert.equal(
        await run('node', ['--input-type=module', '--eval', script]),
        `kubeconfig ${path}: users["me"].exec.interactiveMode: needs a terminal, and there is none here (got "Always"). ` +
          'Log in with kubectl first, and use a plugin that remembers it.\n',
      );
    });

    it('where it acts with groups of somebody whom it does not name', async () => {
      await refused(
        { user: { token: 't', 'as-groups': ['dev'] } },
        `kubeconfig ${path}: users["me"].as: is missing, though as-uid, as-groups or as-user-extra is set. Name the user to act as, ` +
          'or leave out all four.',
      );
    });

    it('where it acts as somebody whose name cannot be sent', async () => {
      for (const user of [{ as: 'jané' }, { as: 'jane', 'as-groups': ['dev\r\nx: y'] }]) {
        await assert.rejects(
          write({ user }).then((kubeconfig) => loadConnection({ kubeconfig })),
          /users\["me"\]\.as: must be ASCII, and so must its uid, groups and extra, because they become headers \(got /,
        );
      }
    });
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueLeaf } from '../../../../../components/certificates/certificate.ts';
import { Client } from '../../../../../packages/kube/client/client.ts';
import { loadConnection } from '../../../../../packages/kube/connect/kubeconfig.ts';
import { environmentProxy } from '../../../../../packages/kube/connect/proxy.ts';
import { ApiOverTls } from '../../../../support/kubernetes/api-over-tls.ts';
import { httpProxy, socksProxy, type Proxy } from '../../../../support/kubernetes/proxies.ts';

const NAMESPACES = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

describe('a way to the cluster that leads through a proxy', () => {
  let directory: string;
  let api: ApiOverTls;
  const proxies = new Set<Proxy>();

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
    api = await ApiOverTls.start({ dnsNames: ['api.internal'], ipAddresses: ['10.9.8.7'] });
  });
  after(() => {
    api.stop();
    return rm(directory, { recursive: true });
  });
  afterEach(() => {
    for (const proxy of proxies) proxy.stop();
    proxies.clear();
  });

  async function started(proxy: Promise<Proxy>): Promise<Proxy> {
    proxies.add(await proxy);
    return proxy;
  }

  /** Two requests, of which the second finds the connection of the first. */
  async function ask(cluster: object, env: Record<string, string> = {}): Promise<void> {
    const kubeconfig = join(directory, 'config');
    const config = {
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'one', user: 'me' } }],
      clusters: [{ name: 'one', cluster: { ...api.cluster, ...cluster } }],
      users: [{ name: 'me', user: { token: 'mine' } }],
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    const client = new Client(await loadConnection({ kubeconfig, env }));
    try {
      await client.get(NAMESPACES, { name: 'default' });
      await client.get(NAMESPACES, { name: 'default' });
    } finally {
      client.close();
    }
    assert.equal(api.shown.at(-1)?.authorization, 'Bearer mine');
  }

  it('is taken where proxy-url says so, by names that only the proxy knows', async () => {
    const proxy = await started(httpProxy(api.port));
    const url = `http://robot:hunter2@127.0.0.1:${proxy.port}`;
    await ask({ server: 'https://api.internal:6443', 'proxy-url': url });
    const secret = Buffer.from('robot:hunter2').toString('base64');
    assert.deepEqual(proxy.asked, [`api.internal:6443 Basic ${secret}`]);
  });

  it('is taken over TLS to the proxy, which has a name of its own', async () => {
    const leaf = await issueLeaf(api.ca, { commonName: 'p', ipAddresses: ['127.0.0.1'], usages: ['server'], days: 1 });
    const proxy = await started(httpProxy(api.port, leaf));
    const cluster = { server: 'https://10.9.8.7:6443', 'tls-server-name': 'api.internal' };
    await ask({ ...cluster, 'proxy-url': `https://127.0.0.1:${proxy.port}` });
    assert.deepEqual(proxy.asked, ['10.9.8.7:6443']);
  });

  it('is taken by SOCKS', async () => {
    const proxy = await started(socksProxy(api.port));
    await ask({ server: 'https://api.internal:6443', 'proxy-url': `socks5h://127.0.0.1:${proxy.port}` });
    assert.deepEqual(proxy.asked, ['api.internal:6443']);
  });

  it('ends at the server that was meant, and at no other', async () => {
    for (const make of [httpProxy, socksProxy]) {
      const proxy = await started(make(api.port));
      const scheme = make === httpProxy ? 'http' : 'socks5';
      const url = { 'proxy-url': `${scheme}://127.0.0.1:${proxy.port}` };
      await ask({ server: 'https://10.9.8.7:6443', ...url });
      await assert.rejects(
        ask({ server: 'https://10.9.8.6:6443', ...url }),
        /IP: 10\.9\.8\.6 is not in the cert's list/,
      );
      await assert.rejects(
        ask({ server: 'https://10.9.8.7:6443', 'tls-server-name': 'other', ...url }),
        /Host: other\. is not in the cert's altnames/,
      );
    }
  });

  it('is taken where the environment says so and the kubeconfig does not', async () => {
    const proxy = await started(httpProxy(api.port));
    const env = { HTTPS_PROXY: `127.0.0.1:${proxy.port}` };
    await ask({ server: 'https://api.internal:6443' }, env);
    assert.deepEqual(proxy.asked, ['api.internal:6443']);
    const own = await started(httpProxy(api.port));
    await ask({ server: 'https://api.internal:6443', 'proxy-url': `http://127.0.0.1:${own.port}` }, env);
    assert.deepEqual([proxy.asked.length, own.asked.length], [1, 1]);
  });

  describe('by the environment', () => {
    const leads = (server: string, exceptions: string): boolean =>
      environmentProxy(new URL(server), { https_proxy: 'http://p', no_proxy: exceptions }, ['192.168.7.1/30']) !==
      undefined;

    it('leads to everything but this machine and the networks that it is part of', () => {
      assert.equal(leads('https://api.example', ''), true);
      for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '192.168.7.2']) {
        assert.equal(leads(`https://${host}:6443`, ''), false, host);
      }
      assert.equal(leads('https://192.168.7.4', ''), true);
      assert.equal(environmentProxy(new URL('https://api.example'), { HTTP_PROXY: 'http://p' }), undefined);
    });

    it('leads to nothing that NO_PROXY names', () => {
      const excepted: readonly (readonly [string, string])[] = [
        ['https://api.example', '*'],
        ['https://api.example', 'other, API.example'],
        ['https://api.example', 'example'],
        ['https://api.example', '.example'],
        ['https://api.example', '*.example'],
        ['https://api.example:6443', 'api.example:6443'],
        ['https://api.example', 'api.example:443'],
        ['https://10.1.2.3', '10.1.2.3'],
        ['https://10.1.2.3', '10.0.0.0/8'],
        ['https://[fd00::1]', 'fd00::/8'],
        ['https://[fd00::1]:6443', '[fd00::1]:6443'],
      ];
      for (const [server, exceptions] of excepted) assert.equal(leads(server, exceptions), false, exceptions);
    });

    it('leads to what only looks like it', () => {
      const others: readonly (readonly [string, string])[] = [
        ['https://api.example', 'i.example'],
        ['https://example', '.example'],
        ['https://api.example:6443', 'api.example:443'],
        ['https://10.1.2.3', '11.0.0.0/8'],
        ['https://10.1.2.3', '2.3'],
        ['https://10.1.2.3', '10.0.0.0/99'],
        ['https://[fd00::1]', '10.0.0.0/8'],
      ];
      for (const [server, exceptions] of others) assert.equal(leads(server, exceptions), true, exceptions);
    });
  });
});

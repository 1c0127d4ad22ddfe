import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import https from 'node:https';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { issueCa, issueLeaf } from '../../../../components/certificates/certificate.ts';
import { parseReference } from '../../../../components/registry/reference.ts';
import type { ImageReference } from '../../../../components/registry/reference.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs a test against a server that answers as the test says. */
async function withServer(answer: Answer, test: (host: string) => Promise<void>): Promise<void> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await test(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function reference(name: string): ImageReference {
  const parsed = parseReference(name);
  assert.ok(parsed);
  return parsed;
}

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('the registry client', () => {
  let client: RegistryClient;
  beforeEach(() => (client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) })));
  afterEach(() => client.close());

  it('shows no credentials to a server of tokens without TLS, unless it talks without TLS itself', async () => {
    const ca = await issueCa({ commonName: 'test', days: 1 });
    const leaf = await issueLeaf(ca, { commonName: 'host', ipAddresses: ['127.0.0.1'], usages: ['server'], days: 1 });
    const seen: (string | undefined)[] = [];
    const answer: Answer = (request, response) => {
      seen.push(request.headers.authorization);
      response.end('{"token":"t1"}');
    };
    await withServer(answer, async (tokens) => {
      const registry = https.createServer(leaf, (_request, response) => {
        response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${tokens}/token"` }).end();
      });
      await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
      const credentials = { username: 'robot', password: 'password' };
      const secure = new RegistryClient({ ca: ca.cert, credentials: () => Promise.resolve(credentials) });
      try {
        const image = reference(`127.0.0.1:${(registry.address() as AddressInfo).port}/a/b:1`);
        await assert.rejects(secure.manifest(image), /asks to fetch a token without TLS, from http:\/\/127\.0\.0\.1/);
        assert.deepEqual(seen, []);
      } finally {
        secure.close();
        registry.closeAllConnections();
        registry.close();
      }
    });
  });

  it('fetches a token when the registry asks for one, once per repository', async () => {
    const paths: string[] = [];
    await withServer(
      (request, response) => {
        const host = request.headers.host ?? '';
        paths.push(request.url ?? '');
        if (request.url?.startsWith('/token') === true) return void response.end('{"token":"t1"}');
        if (request.headers.authorization === 'Bearer t1') return void response.end('{}');
        const challenge = `Bearer realm="http://${host}/token",service="registry"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      },
      async (host) => {
        await client.manifest(reference(`${host}/a/b:1`));
        await client.manifest(reference(`${host}/a/b:2`));
      },
    );
    assert.deepEqual(paths, [
      '/v2/a/b/manifests/1',
      '/token?service=registry&scope=repository%3Aa%2Fb%3Apull',
      '/v2/a/b/manifests/1',
      '/v2/a/b/manifests/2',
    ]);
  });

  it('follows a redirect of a blob without taking its credentials to the other host', async () => {
    const seen: (string | undefined)[] = [];
    await withServer(
      (request, response) => {
        seen.push(request.headers.authorization);
        response.end('blob');
      },
      async (storage) => {
        await withServer(
          (request, response) => {
            if (request.headers.authorization === undefined) {
              return void response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
            }
            response.writeHead(307, { location: `http://${storage}/blob` }).end();
          },
          async (host) => {
            const user = { username: 'u', password: 'p' };
            const known = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(user) });
            const blob = await known.blob(reference(`${host}/a:1`), { digest: digestOf('blob'), size: 4 });
            assert.equal(await text(blob), 'blob');
            known.close();
          },
        );
      },
    );
    assert.deepEqual(seen, [undefined]);
  });

  it('shows credentials to nobody but the registry, not even to a storage host that asks for them', async () => {
    const user = { username: 'robot', password: 'password' };
    const known = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(user) });
    for (const challenge of ['Bearer realm="http://HOST/token"', 'Basic realm="storage"']) {
      const seen: (string | undefined)[] = [];
      const paths: (string | undefined)[] = [];
      const storage: Answer = (request, response) => {
        seen.push(request.headers.authorization);
        paths.push(request.url);
        const asked = challenge.replace('HOST', request.headers.host ?? '');
        response.writeHead(401, { 'www-authenticate': asked }).end('{"token":"t1"}');
      };
      await withServer(storage, async (other) => {
        const redirect: Answer = (_, response) => void response.writeHead(307, { location: `http://${other}/b` }).end();
        await withServer(redirect, async (host) => {
          await assert.rejects(
            known.blob(reference(`${host}/a/b:1`), { digest: digestOf('blob'), size: 4 }),
            new RegExp(`redirects to http://${other}, which requires a login; credentials go to the registry only`),
          );
        });
      });
      assert.deepEqual({ seen, paths }, { seen: [undefined], paths: ['/b'] });
    }
    known.close();
  });

  it('refuses content that is not what its digest says', async () => {
    await withServer(
      (_, response) => void response.end('{"tampered":true}'),
      async (host) => {
        const digest = digestOf('{}');
        await assert.rejects(client.manifest(reference(`${host}/a@${digest}`)), /the registry answered with sha256:/);
        for (const size of [1, 100]) {
          const blob = await client.blob(reference(`${host}/a:1`), { digest, size });
          await assert.rejects(text(blob), /the content of blob .* does not match its digest/);
        }
      },
    );
  });

  it('refuses a blob that is not as long as its descriptor says, though it is what its digest says', async () => {
    await withServer(
      (_, response) => void response.end('{}'),
      async (host) => {
        const image = reference(`${host}/a:1`);
        const blob = await client.blob(image, { digest: digestOf('{}'), size: 3 });
        await assert.rejects(text(blob), /the content of blob .* does not match its digest/);
        assert.equal(await text(await client.blob(image, { digest: digestOf('{}'), size: 2 })), '{}');
      },
    );
  });

  it('takes only a registry without lists of referrers for one that has nothing on an image', async () => {
    let status = 0;
    await withServer(
      (_, response) => void response.writeHead(status).end('{"errors":[{"code":"SAID"}]}'),
      async (host) => {
        for (status of [400, 404, 405, 406, 501]) {
          assert.equal(await client.referrers(reference(`${host}/a:1`), digestOf('')), undefined, String(status));
        }
        for (status of [401, 403, 429, 500, 503]) {
          const expected = { name: 'RegistryError', status, reason: `${String(status)} SAID` };
          await assert.rejects(client.referrers(reference(`${host}/a:1`), digestOf('')), expected);
        }
      },
    );
  });
});

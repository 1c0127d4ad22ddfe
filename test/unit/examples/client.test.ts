import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { issueCa, issueLeaf, type KeyPairPem } from '../../../components/certificates/certificate.ts';
import { program } from '../../../infra/program.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { freePorts } from '../../support/machine/free-port.ts';
import { OLM_MANIFEST } from '../../support/olm/olm-manifest.ts';
import { sampleCatalog } from '../../support/olm/sample-catalog.ts';
import { runProgram, type ProgramResult } from '../../support/pulumi/pulumi-program.ts';
import { withServedCatalog } from '../../support/registry/tls-catalog.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const PINNED = `registry.example/olm@${DIGEST}`;
/** Longer than any refusal may take on a busy machine. */
const SOON_MS = 15_000;

/** `examples/client` as it is committed, for a registry of this test in place of that of the example. */
describe('the client example', function () {
  this.timeout(2 * SOON_MS);
  let directory: string;
  let ca: KeyPairPem;
  let certificate: KeyPairPem;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'client-'));
    await writeFile(join(directory, 'olm.yaml'), OLM_MANIFEST);
    ca = await issueCa({ commonName: 'registry authority', days: 1 });
    const leaf = { commonName: 'registry', ipAddresses: ['127.0.0.1'], usages: ['server'], days: 1 } as const;
    certificate = await issueLeaf(ca, leaf);
  });
  after(() => rm(directory, { recursive: true }));

  /** Previews the example with another catalog image, and what only a test changes. */
  async function preview(image: string, authority: string | undefined = ca.cert): Promise<ProgramResult> {
    const text = await readFile('examples/client/Pulumi.example.yaml', 'utf8');
    const { config } = yaml.load(text) as { config: Record<string, string | object> };
    await writeFile(join(directory, 'ca.pem'), authority);
    const changes = {
      // Signatures are the subject of another test.
      catalog: { source: 'image', image },
      kubeconfig: join(directory, 'missing'),
      registryCa: join(directory, 'ca.pem'),
      // The manifest of a release, and the digests of its images, would be fetched.
      olm: { manifest: join(directory, 'olm.yaml'), images: { catalogd: PINNED, operatorController: PINNED } },
      requireDigests: 'false',
    };
    const all = Object.entries({
      ...config,
      ...Object.fromEntries(Object.entries(changes).map(([key, value]) => [`inference-stack-fleet:${key}`, value])),
    });
    const texts = all.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const);
    const silent = (): void => undefined;
    const log = { info: silent, warn: silent };
    return runProgram(async () => {
      await program({
        ...{ environment: 'client', checkout, config: Object.fromEntries(texts), now: new Date(), log },
        preview: true,
      });
    });
  }

  it('is previewed with operators of the catalog by its digest, and builds nothing', async () => {
    await withServedCatalog(sampleCatalog(['3.0.0']), async (served) => {
      const result = await preview(served.digest, served.ca);
      assert.deepEqual(
        result.resources.filter(({ type }) => type.startsWith('docker') || type.includes(':images:')),
        [],
      );
      const catalog = result.find('kubernetes:olm.operatorframework.io/v1:ClusterCatalog', 'inference-stack-catalog');
      const { source } = catalog.inputs['spec'] as { source: { image: unknown } };
      assert.deepEqual(source.image, { ref: served.digest });
      result.find('kubernetes:olm.operatorframework.io/v1:ClusterExtension', 'inference-stack-operator-v3');
    });
  });

  /** Runs something while a registry gives the same answer to every request. */
  async function withRegistry(
    answer: { readonly status: number; readonly challenge?: string; readonly plain?: boolean },
    use: (host: string) => Promise<void>,
  ): Promise<void> {
    const headers = answer.challenge === undefined ? {} : { 'www-authenticate': answer.challenge };
    const respond: Parameters<typeof createPlainServer>[1] = (_request, response) => {
      response.writeHead(answer.status, headers).end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"not here"}]}');
    };
    const server = answer.plain === true ? createPlainServer(respond) : createServer(certificate, respond);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await use(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  async function refused(image: string, message: RegExp, authority?: string): Promise<void> {
    const started = Date.now();
    await assert.rejects(preview(image, authority), message);
    assert.ok(Date.now() - started < SOON_MS);
  }

  it('says that the registry does not have this digest', async () => {
    await withRegistry({ status: 404 }, async (host) => {
      await refused(
        `${host}/fleet/catalog@${DIGEST}`,
        /cannot be pulled: 404 MANIFEST_UNKNOWN not here\. Compare name and digest with those of the release, and see that this registry has it\.$/,
      );
    });
  });

  it('says that the registry has other content under this digest', async () => {
    await withServedCatalog(sampleCatalog(['3.0.0']), async (served) => {
      const image = served.digest.replace(/sha256:.*/, DIGEST);
      await refused(image, /cannot be pulled: the registry answered with sha256:[0-9a-f]{64}\. Compare /, served.ca);
    });
  });

  it('says that nobody answers', async () => {
    const [port = 0] = await freePorts(1);
    const message =
      /cannot be pulled: nothing listens there .*Check that 127\.0\.0\.1:\d+ is right, and that this machine/;
    await refused(`127.0.0.1:${port}/fleet/catalog@${DIGEST}`, message);
  });

  it('asks for credentials that the cluster gets as well', async () => {
    await withRegistry({ status: 401, challenge: 'Basic realm="registry"' }, async (host) => {
      const message =
        /cannot be pulled: the registry requires a login\. Set pullSecret to a Docker config with a user of /;
      await refused(`${host}/fleet/catalog@${DIGEST}`, message);
    });
    await withRegistry({ status: 403 }, async (host) => {
      await refused(`${host}/fleet/catalog@${DIGEST}`, /cannot be pulled: 403 .*Set pullSecret to a Docker config/);
    });
  });

  it('asks for the authority of a certificate that nobody knows', async () => {
    const stranger = await issueCa({ commonName: 'stranger', days: 1 });
    await withRegistry({ status: 200 }, async (host) => {
      const message = /cannot be pulled: .*Set registryCa to the certificates of its authority: the cluster needs them/;
      await refused(`${host}/fleet/catalog@${DIGEST}`, message, stranger.cert);
    });
  });

  it('says that OLM pulls over TLS alone', async () => {
    await withRegistry({ status: 200, plain: true }, async (host) => {
      await refused(
        `${host}/fleet/catalog@${DIGEST}`,
        /cannot be pulled: it does not speak TLS\. Serve it over TLS: OLM/,
      );
    });
  });

  it('says which majors the catalog has if it lacks this one', async () => {
    await withServedCatalog(sampleCatalog(['4.0.0', '5.0.0']), async (served) => {
      await refused(
        served.digest,
        /operators\[0\]: cannot be resolved: .*No channel has a version of v3: the catalog has v4, v5\.$/,
        served.ca,
      );
    });
  });

  it('is a stack and an operator of the same major', async () => {
    const stack = yaml.load(await readFile('examples/client/stack.yaml', 'utf8')) as { metadata: { labels: unknown } };
    assert.deepEqual(stack.metadata.labels, { operatorVersion: 'v3' });
  });
});

import * as pulumi from '@pulumi/pulumi';
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { OlmV1 } from '../../../../components/olm/olm-v1.ts';
import { ARGS, installOlm, manifestOf, podOf, SECRET, secretsOf, WEBHOOK } from '../../../support/olm/install-olm.ts';
import { OLM_MANIFEST } from '../../../support/olm/olm-manifest.ts';
import {
  objectName,
  reveal,
  runProgram,
  valueOf,
  type ProgramResult,
  type ProviderOutputs,
} from '../../../support/pulumi/pulumi-program.ts';

describe('the certificates of OlmV1', () => {
  it('leaves certificates to cert-manager when told to', async () => {
    const result = await installOlm({ certificates: 'cert-manager' });
    assert.deepEqual(secretsOf(result), []);
    assert.equal(
      result.resources.filter((each) => each.type === 'kubernetes:cert-manager.io/v1:Certificate').length,
      3,
    );
    assert.equal(podOf(result, 'catalogd-controller-manager').volumes[0]?.secret?.secretName, 'catalogd-cert');
  });

  it('issues a certificate for every name that the manifest asks for, under one authority', async () => {
    const result = await installOlm();
    const ca = webhookAuthority(result);
    const [catalogd, controller] = [
      mounted(result, 'catalogd', 'cas'),
      mounted(result, 'operator-controller', 'certs'),
    ];
    assert.equal(catalogd.leaf.subjectAltName, 'DNS:catalogd-service.olmv1-system.svc, DNS:localhost');
    assert.equal(controller.leaf.subjectAltName, 'DNS:operator-controller-service.olmv1-system.svc');
    for (const each of [catalogd, controller]) {
      assert.ok(each.leaf.verify(ca.publicKey) && each.ca.raw.equals(ca.raw));
      assert.ok(each.leaf.checkPrivateKey(each.key));
      assert.equal(each.leaf.validToDate.toISOString(), '2029-02-28T00:00:00.000Z');
    }
  });

  it('mounts what it issued under the names that the manifest gives, and nothing of the other controller', async () => {
    const result = await installOlm();
    const [name] = secretsOf(result);
    assert.match(name ?? '', /^olmv1-certificates-2026-[0-9a-f]{6}$/);
    assert.deepEqual(podOf(result, 'catalogd-controller-manager').volumes[0]?.secret, {
      secretName: name,
      optional: false,
      items: [
        { key: 'ca.crt', path: 'ca.crt' },
        { key: 'catalogd-cert.tls.crt', path: 'tls.crt' },
        { key: 'catalogd-cert.tls.key', path: 'tls.key' },
      ],
    });
    assert.deepEqual(podOf(result, 'operator-controller-controller-manager').volumes[0]?.secret, {
      secretName: name,
      items: [
        { key: 'ca.crt', path: 'olm-ca.crt' },
        { key: 'olmv1-cert.tls.crt', path: 'tls.cert' },
        { key: 'olmv1-cert.tls.key', path: 'tls.key' },
      ],
    });
  });

  it('issues nothing in a preview, where the authority is not known before it is made', async () => {
    const result = await installOlm({}, () => ({}), { preview: true });
    const [secret = ''] = secretsOf(result);
    assert.ok(pulumi.isUnknown(result.find(SECRET, secret).inputs['data']));
    const [webhook] = result.resources.filter(({ type }) => type === WEBHOOK);
    assert.ok(pulumi.containsUnknowns(webhook?.inputs['webhooks']));
  });

  it('tells the webhook the authority', async () => {
    const webhook = (await installOlm()).find(WEBHOOK, 'catalogd-webhook');
    assert.deepEqual(webhook.inputs['metadata'], {
      name: 'catalogd-webhook',
      annotations: { keep: 'yes' },
      labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' },
    });
  });

  it('keeps the certificates of a year and makes new ones in the next', async () => {
    const first = secretsOf(await installOlm());
    const sameYear = secretsOf(await installOlm({ now: new Date('2026-12-31T23:59:59Z') }));
    const nextYear = secretsOf(await installOlm({ now: new Date('2027-01-01T00:00:00Z') }));
    assert.deepEqual(sameYear, first);
    assert.equal(
      nextYear.some((name) => first.includes(name)),
      false,
    );
    assert.deepEqual((await installOlm()).find(SECRET, first[0] ?? '').options.ignoreChanges, ['data']);
  });

  it('never mixes the authorities of two runs, wherever the first one stopped', async () => {
    const first = await installOlm();
    // Every run issues anew; of each Secret that the first run got to, the state keeps what that run put into it.
    for (let reached = 0; reached <= secretsOf(first).length; reached++) {
      const state = new Map(
        secretsOf(first)
          .slice(0, reached)
          .map((name) => [name, dataOf(first, name)]),
      );
      const kept: ProviderOutputs = (args) => {
        const data = state.get(objectName(args));
        return data === undefined ? {} : { data };
      };
      const second = await installOlm({}, kept);
      const ca = webhookAuthority(second);
      const [catalogd, controller] = [
        mounted(second, 'catalogd', 'cas', state),
        mounted(second, 'operator-controller', 'certs', state),
      ];
      for (const each of [catalogd, controller])
        assert.ok(each.leaf.verify(ca.publicKey) && each.ca.raw.equals(ca.raw));
    }
  });

  it('refuses to issue certificates for several namespaces, which could not share one Secret', () => {
    const text = OLM_MANIFEST.replace(
      'name: olmv1-cert, namespace: olmv1-system',
      'name: olmv1-cert, namespace: other',
    );
    const args = { ...ARGS, manifest: manifestOf(text) };
    assert.throws(() => new OlmV1('olm', args), {
      message:
        'olm.yaml: Certificate: asks for certificates in several namespaces, but they are issued for one (got ["olmv1-system","other"]). Have cert-manager issue them.',
    });
  });

  it('says when its certificates expire', async () => {
    let expire: string | undefined;
    await runProgram(async () => {
      expire = await valueOf(new OlmV1('olm', ARGS).certificatesExpire);
    });
    assert.equal(expire, '2029-02-28T00:00:00.000Z');
  });
});

function dataOf(result: ProgramResult, name: string): Readonly<Record<string, string>> {
  return reveal(result.find(SECRET, name).inputs['data']) as Record<string, string>;
}

function certificate(text = ''): X509Certificate {
  return new X509Certificate(Buffer.from(text, 'base64'));
}

function webhookAuthority(result: ProgramResult): X509Certificate {
  const webhook = result.find(WEBHOOK, 'catalogd-webhook');
  const [first] = webhook.inputs['webhooks'] as { clientConfig: { caBundle: string } }[];
  return certificate(first?.clientConfig.caBundle);
}

/** What a controller reads from a volume: of Secrets in the state what that holds, of others what the run issued. */
function mounted(
  result: ProgramResult,
  controller: string,
  volume: string,
  state: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(),
): { ca: X509Certificate; leaf: X509Certificate; key: KeyObject } {
  const { volumes } = podOf(result, `${controller}-controller-manager`);
  const secret = volumes.find(({ name }) => name === volume)?.secret;
  const name = secret?.secretName ?? '';
  const data = state.get(name) ?? dataOf(result, name);
  const items = secret?.items ?? Object.keys(data).map((key) => ({ key, path: key }));
  const file = (pattern: RegExp): string => data[items.find(({ path }) => pattern.test(path))?.key ?? ''] ?? '';
  return {
    ca: certificate(file(/ca\.crt$/)),
    leaf: certificate(file(/^tls\.cert|^tls\.crt/)),
    key: createPrivateKey(Buffer.from(file(/^tls\.key$/), 'base64')),
  };
}

import assert from 'node:assert/strict';
import { catalogSymptom, extensionSymptom } from '../../../../components/waits/olm-symptoms.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { progressing } from '../../../support/olm/waited-for.ts';

const catalog = (message: string, reason = 'Retrying'): KubernetesObject =>
  progressing('ClusterCatalog', 'catalog', reason, message);
const extension = (message: string, reason = 'Retrying'): KubernetesObject =>
  progressing('ClusterExtension', 'operator-v1', reason, message);

describe('why a catalog is not served', () => {
  const UNKNOWN =
    'source catalog content: error creating image source: reading manifest nope in registry.example/catalog: manifest unknown';

  it('is what catalogd says, and what to do about it', () => {
    const symptom = catalogSymptom(catalog(UNKNOWN));
    assert.equal(symptom?.object, 'ClusterCatalog catalog');
    assert.equal(symptom.message, `Retrying: ${UNKNOWN}`);
    assert.equal(symptom.remedy, 'Push the image, or name one that the registry has.');
  });

  it('is nothing when catalogd is done, or has not looked at the newest spec', () => {
    assert.equal(catalogSymptom(catalog('Successfully unpacked', 'Succeeded')), undefined);
    const changed = catalog(UNKNOWN);
    assert.equal(catalogSymptom({ ...changed, metadata: { ...changed.metadata, generation: 2 } }), undefined);
    assert.equal(catalogSymptom({ ...changed, status: {} }), undefined);
  });

  it('is the same one when only the ends of a connection differ', () => {
    const failed = (port: number): string | undefined =>
      catalogSymptom(catalog(`pinging registry: read udp 10.0.0.7:${port}->10.96.0.10:53: i/o timeout`))?.id;
    assert.equal(failed(41122), failed(53533));
  });

  for (const [said, remedy] of [
    ['x509: certificate signed by unknown authority', /registryCa/],
    ['unauthorized: authentication required', /pullSecret/],
    ['dial tcp: lookup registry.example: no such host', /DNS/],
    ['proxyconnect tcp: dial tcp 127.0.0.1:9: connect: connection refused', /`proxy`/],
  ] as const) {
    it(`comes with what to do about: ${said}`, () => {
      assert.match(catalogSymptom(catalog(said))?.remedy ?? '', remedy);
    });
  }
});

describe('why an extension is not installed', () => {
  it('is a catalog that OLM has yet to read, which no push of an image mends', () => {
    const symptom = extensionSymptom(extension('error walking catalogs: cache for catalog "ours" not found'), '1.0.0');
    assert.match(symptom?.remedy ?? '', /reads a catalog once catalogd serves it/);
  });

  it('is the refusal of OLM, in its words, of which a line is left', () => {
    const said = `pre-authorization failed: service account requires the following permissions:\n${'Namespace:"" APIGroups:[apps]\n'.repeat(500)}the end`;
    const symptom = extensionSymptom(extension(said), '1.0.0');
    assert.match(symptom?.message ?? '', /^Retrying: pre-authorization failed: .* … .*the end$/);
    assert.ok((symptom?.message ?? '').length < 700);
    assert.match(symptom?.remedy ?? '', /installer/);
  });

  it('comes with advice about the installer only where its rights are what is missing', () => {
    const remedy = (said: string): string => extensionSymptom(extension(said), '1.0.0')?.remedy ?? '';
    const user = 'User "system:serviceaccount:x:installer"';
    assert.match(remedy(`pods is forbidden: ${user} cannot list resource "pods"`), /installer/);
    assert.match(remedy(`roles "x" is forbidden: ${user} is attempting to grant RBAC permissions`), /installer/);
    assert.equal(remedy('deployments.apps "x" is forbidden: exceeded quota: tight'), '');
    const refused = catalogSymptom(catalog(`pods is forbidden: ${user} cannot list resource "pods"`));
    assert.equal(refused?.remedy, undefined);
  });

  it('is that it is blocked, which OLM does not try again', () => {
    const symptom = extensionSymptom(extension('invalid configuration', 'Blocked'), '1.0.0');
    assert.equal(symptom?.message, 'Blocked: invalid configuration');
  });

  it('is a version that the catalog does not have', () => {
    const said = 'no bundles found for package "inference-stack-operator" matching version "9.9.9"';
    assert.match(extensionSymptom(extension(said), '9.9.9')?.remedy ?? '', /fleet catalog show/);
  });

  it('is a webhook that its objects have to pass', () => {
    const said =
      'Internal error occurred: failed calling webhook "w.example": failed to call webhook: Post ' +
      '"https://w.guard.svc:443/v?timeout=10s": tls: failed to verify certificate: x509: certificate has expired';
    const symptom = extensionSymptom(extension(said), '1.0.0');
    assert.match(symptom?.message ?? '', /cannot call the webhook w\.example of Service guard\/w: tls: /);
    assert.match(symptom?.remedy ?? '', /^Renew the certificate/);
  });

  it('is that OLM reports another version than the expected one', () => {
    const done = extension('Desired state reached', 'Succeeded');
    const installed = {
      ...done,
      status: { ...(done['status'] as object), install: { bundle: { name: 'x', version: '1.0.0' } } },
    };
    assert.equal(extensionSymptom(installed, '1.0.0'), undefined);
    assert.match(
      extensionSymptom(installed, '1.1.0')?.message ?? '',
      /^OLM reports 1\.0\.0 as installed; 1\.1\.0 is expected$/,
    );
  });

  it('is nothing while OLM rolls its objects out', () => {
    assert.equal(extensionSymptom(extension('rolling out', 'RollingOut'), '1.0.0'), undefined);
  });
});

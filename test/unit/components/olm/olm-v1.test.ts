import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { OlmV1, type OlmV1Args } from '../../../../components/olm/olm-v1.ts';
import { OLM_MANIFEST } from '../../../support/olm-manifest.ts';
import { reveal, runProgram, valueOf, type ProgramResult } from '../../../support/pulumi-program.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const ARGS: OlmV1Args = {
  version: '1.5.1',
  manifest: { text: OLM_MANIFEST, source: 'olm.yaml' },
  certificates: 'generated',
  now: NOW,
};
const DEPLOYMENT = 'kubernetes:apps/v1:Deployment';
const SECRET = 'kubernetes:core/v1:Secret';
const CRD = 'kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition';

interface Pod {
  readonly containers: readonly [
    {
      readonly image: string;
      readonly args: readonly string[];
      readonly env?: readonly unknown[];
      readonly resources?: unknown;
    },
  ];
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
  readonly imagePullSecrets?: readonly unknown[];
}

async function install(args: Partial<OlmV1Args> = {}): Promise<ProgramResult> {
  return runProgram(() => {
    new OlmV1('olm', { ...ARGS, ...args });
  });
}

function podOf(result: ProgramResult, name: string): Pod {
  const spec = result.find(DEPLOYMENT, name).inputs['spec'] as { template: { spec: Pod } };
  return spec.template.spec;
}

function secretsOf(result: ProgramResult): readonly string[] {
  return result.resources.filter((resource) => resource.type === SECRET).map((resource) => resource.name);
}

describe('OlmV1', () => {
  it('applies every object of the manifest but those of cert-manager', async () => {
    const { resources } = await install();
    const kinds = resources
      .filter((each) => each.type.startsWith('kubernetes:'))
      .map((each) => each.type.split(':')[2]);
    assert.deepEqual(kinds.sort(), [
      'CustomResourceDefinition',
      'CustomResourceDefinition',
      'Deployment',
      'Deployment',
      'MutatingWebhookConfiguration',
      'Namespace',
      'Secret',
      'Secret',
    ]);
  });

  it('leaves certificates to cert-manager when told to', async () => {
    const result = await install({ certificates: 'cert-manager' });
    assert.deepEqual(secretsOf(result), []);
    assert.equal(
      result.resources.filter((each) => each.type === 'kubernetes:cert-manager.io/v1:Certificate').length,
      3,
    );
    assert.equal(podOf(result, 'catalogd-controller-manager').volumes[0]?.secret?.secretName, 'catalogd-cert');
  });

  it('issues a certificate for every name that the manifest asks for, under one authority', async () => {
    const result = await install();
    const [catalogd, controller] = secretsOf(result).map((name) => certificates(result, name));
    assert.ok(catalogd !== undefined && controller !== undefined);
    assert.equal(catalogd.leaf.subjectAltName, 'DNS:catalogd-service.olmv1-system.svc, DNS:localhost');
    assert.equal(controller.leaf.subjectAltName, 'DNS:operator-controller-service.olmv1-system.svc');
    assert.ok(catalogd.leaf.verify(catalogd.ca.publicKey) && controller.leaf.verify(catalogd.ca.publicKey));
    assert.equal(catalogd.leaf.validToDate.toISOString(), '2029-02-28T00:00:00.000Z');
  });

  it('mounts the Secrets it made and tells the webhook their authority', async () => {
    const result = await install();
    const [name] = secretsOf(result);
    assert.match(name ?? '', /^catalogd-cert-2026-[0-9a-f]{6}$/);
    assert.equal(podOf(result, 'catalogd-controller-manager').volumes[0]?.secret?.secretName, name);
    const webhook = result.find(
      'kubernetes:admissionregistration.k8s.io/v1:MutatingWebhookConfiguration',
      'catalogd-webhook',
    );
    const [first] = webhook.inputs['webhooks'] as { clientConfig: { caBundle: string; service: unknown } }[];
    assert.equal(first?.clientConfig.caBundle, dataOf(result, name ?? '')['ca.crt']);
    assert.deepEqual(webhook.inputs['metadata'], {
      name: 'catalogd-webhook',
      annotations: { keep: 'yes' },
      labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' },
    });
  });

  it('keeps the certificates of a year and makes new ones in the next', async () => {
    const first = secretsOf(await install());
    const sameYear = secretsOf(await install({ now: new Date('2026-12-31T23:59:59Z') }));
    const nextYear = secretsOf(await install({ now: new Date('2027-01-01T00:00:00Z') }));
    assert.deepEqual(sameYear, first);
    assert.equal(
      nextYear.some((name) => first.includes(name)),
      false,
    );
    assert.deepEqual((await install()).find(SECRET, first[0] ?? '').options.ignoreChanges, ['data']);
  });

  it('says when its certificates expire', async () => {
    let expire: string | undefined;
    await runProgram(async () => {
      expire = await valueOf(new OlmV1('olm', ARGS).certificatesExpire);
    });
    assert.equal(expire, '2029-02-28T00:00:00.000Z');
  });

  it('never deletes the CRDs, and meets retained ones again', async () => {
    const crd = (await install()).find(CRD, 'clusterextensions.olm.operatorframework.io');
    assert.equal(crd.options.retainOnDelete, true);
    assert.deepEqual(crd.inputs['metadata'], {
      name: 'clusterextensions.olm.operatorframework.io',
      labels: { team: 'olm', 'app.kubernetes.io/managed-by': 'inference-stack-fleet' },
      annotations: { 'pulumi.com/patchForce': 'true' },
    });
  });

  it('forces its objects over those of another owner only when it adopts', async () => {
    const annotations = (result: ProgramResult): unknown =>
      (result.find(DEPLOYMENT, 'catalogd-controller-manager').inputs['metadata'] as { annotations?: unknown })
        .annotations;
    assert.deepEqual(annotations(await install()), {});
    assert.deepEqual(annotations(await install({ adopt: true })), { 'pulumi.com/patchForce': 'true' });
  });

  it('runs images, replicas and resources of the stack', async () => {
    const resources = { requests: { cpu: '1' } };
    const result = await install({ images: { catalogd: 'mirror.example/catalogd@sha256:1' }, replicas: 2, resources });
    const pod = podOf(result, 'catalogd-controller-manager');
    assert.equal(pod.containers[0].image, 'mirror.example/catalogd@sha256:1');
    assert.deepEqual(pod.containers[0].resources, resources);
    assert.equal(
      podOf(result, 'operator-controller-controller-manager').containers[0].image,
      'quay.example/operator-controller:v1',
    );
    const spec = result.find(DEPLOYMENT, 'catalogd-controller-manager').inputs['spec'] as { replicas: number };
    assert.equal(spec.replicas, 2);
  });

  it('trusts the registry by its own certificates, and restarts when they change', async () => {
    const result = await install({ registryCa: 'PEM' });
    const pod = podOf(result, 'catalogd-controller-manager');
    assert.deepEqual(pod.containers[0].args, ['--leader-elect', '--pull-cas-dir=/var/registry-cas']);
    const volume = pod.volumes.find((each) => each.name === 'registry-cas') as
      { configMap: { name: string } } | undefined;
    const name = volume?.configMap.name ?? '';
    assert.deepEqual(result.find('kubernetes:core/v1:ConfigMap', name).inputs['data'], { 'registry-ca.crt': 'PEM' });
    const other = podOf(await install({ registryCa: 'OTHER' }), 'catalogd-controller-manager');
    assert.equal(JSON.stringify(other).includes(name), false);
  });

  it('pulls with the credentials of the stack', async () => {
    const result = await install({ pullSecret: '{"auths":{}}' });
    const pod = podOf(result, 'operator-controller-controller-manager');
    assert.deepEqual(pod.imagePullSecrets, [{ name: 'registry-pull-secret' }]);
    assert.ok(pod.containers[0].args.includes('--global-pull-secret=olmv1-system/registry-pull-secret'));
    assert.ok(secretsOf(result).includes('registry-pull-secret'));
  });

  it('pulls through a proxy, but reaches the cluster directly', async () => {
    const result = await install({ proxy: { https: 'http://proxy.example:3128', none: ['10.0.0.0/8'] } });
    assert.deepEqual(podOf(result, 'operator-controller-controller-manager').containers[0].env, [
      { name: 'KEEP', value: 'me' },
      { name: 'HTTPS_PROXY', value: 'http://proxy.example:3128' },
      {
        name: 'NO_PROXY',
        value: 'localhost,127.0.0.1,$(KUBERNETES_SERVICE_HOST),.svc,.svc.cluster.local,10.0.0.0/8',
      },
    ]);
  });
});

function dataOf(result: ProgramResult, name: string): Record<'ca.crt' | 'tls.crt', string> {
  return reveal(result.find(SECRET, name).inputs['data']) as Record<'ca.crt' | 'tls.crt', string>;
}

function certificates(result: ProgramResult, name: string): { ca: X509Certificate; leaf: X509Certificate } {
  const data = dataOf(result, name);
  const read = (text: string): X509Certificate => new X509Certificate(Buffer.from(text, 'base64'));
  return { ca: read(data['ca.crt']), leaf: read(data['tls.crt']) };
}

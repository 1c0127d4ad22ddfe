import * as pulumi from '@pulumi/pulumi';
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { parseManifest, type Manifest } from '../../../../components/olm/manifest.ts';
import { OlmV1, type OlmV1Args } from '../../../../components/olm/olm-v1.ts';
import { OLM_MANIFEST, OLM_MANIFEST_OF_CONTROL_PLANE } from '../../../support/olm/olm-manifest.ts';
import {
  infoOf,
  objectName,
  reveal,
  runProgram,
  valueOf,
  type ProgramResult,
  type ProviderOutputs,
} from '../../../support/pulumi/pulumi-program.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const ARGS: OlmV1Args = {
  version: '1.5.1',
  manifest: manifestOf(OLM_MANIFEST),
  certificates: 'generated',
  existing: undefined,
  controlPlane: [],
  now: NOW,
};
const DEPLOYMENT = 'kubernetes:apps/v1:Deployment';
const SECRET = 'kubernetes:core/v1:Secret';
const WEBHOOK = 'kubernetes:admissionregistration.k8s.io/v1:MutatingWebhookConfiguration';
const CRD = 'kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition';

const BUDGET = 'kubernetes:policy/v1:PodDisruptionBudget';
const WITH_SERVICE = `${OLM_MANIFEST}
---
apiVersion: v1
kind: Service
metadata: {name: catalogd-service, namespace: olmv1-system}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: catalogd, namespace: olmv1-system}
spec: {minAvailable: 1}
`;

interface MountedSecret {
  readonly secretName: string;
  readonly optional?: boolean;
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

interface Pod {
  readonly containers: readonly [
    {
      readonly image: string;
      readonly args: readonly string[];
      readonly env?: readonly unknown[];
      readonly resources?: unknown;
    },
  ];
  readonly volumes: readonly { readonly name: string; readonly secret?: MountedSecret }[];
  readonly imagePullSecrets?: readonly unknown[];
  readonly nodeSelector?: unknown;
}

function manifestOf(text: string): Manifest {
  return { objects: parseManifest(text, 'olm.yaml'), source: 'olm.yaml' };
}

async function install(
  args: Partial<OlmV1Args> = {},
  kept: ProviderOutputs = () => ({}),
  options: Parameters<typeof runProgram>[2] = {},
): Promise<ProgramResult> {
  return runProgram(
    () => {
      new OlmV1('olm', { ...ARGS, ...args });
    },
    kept,
    options,
  );
}

function podOf(result: ProgramResult, name: string): Pod {
  const spec = result.find(DEPLOYMENT, name).inputs['spec'] as { template: { spec: Pod } };
  return spec.template.spec;
}

function secretsOf(result: ProgramResult): readonly string[] {
  return result.resources.filter((resource) => resource.type === SECRET).map(objectName);
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
    ]);
  });

  it('refuses to install over an OLM that something else installed, whoever uses it', async () => {
    const foreign = { labels: { 'app.kubernetes.io/managed-by': 'Helm' } };
    assert.throws(() => new OlmV1('olm', { ...ARGS, existing: foreign }), {
      message: /^CustomResourceDefinition clusterextensions\.olm.*would install over an OLM v1 that something else/,
    });
    const ours = { labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' } };
    for (const args of [{ existing: foreign, adopt: true }, { existing: ours }]) {
      assert.equal((await install(args)).resources.filter(({ type }) => type === DEPLOYMENT).length, 2);
    }
  });

  it('waits ten minutes for the newest pod of each controller, and not for one of an earlier configuration', async () => {
    const result = await install();
    for (const name of ['catalogd-controller-manager', 'operator-controller-controller-manager']) {
      const { inputs, options } = result.find(DEPLOYMENT, name);
      const { annotations } = inputs['metadata'] as { annotations: Record<string, string> };
      assert.deepEqual(JSON.parse(annotations['pulumi.com/waitFor'] ?? ''), [
        'condition=Available',
        'jsonpath={.status.conditions[?(@.type=="Progressing")].reason}=NewReplicaSetAvailable',
      ]);
      assert.deepEqual(options.customTimeouts, { create: '10m', update: '10m' });
    }
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
    const result = await install();
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
    const result = await install({}, () => ({}), { preview: true });
    const [secret = ''] = secretsOf(result);
    assert.ok(pulumi.isUnknown(result.find(SECRET, secret).inputs['data']));
    const [webhook] = result.resources.filter(({ type }) => type === WEBHOOK);
    assert.ok(pulumi.containsUnknowns(webhook?.inputs['webhooks']));
  });

  it('tells the webhook the authority', async () => {
    const webhook = (await install()).find(WEBHOOK, 'catalogd-webhook');
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

  it('never mixes the authorities of two runs, wherever the first one stopped', async () => {
    const first = await install();
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
      const second = await install({}, kept);
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
        'olm.yaml: Certificate: asks for certificates in several namespaces, but they are issued for one (got ["olmv1-system","other"]). Set `olm.certificates: cert-manager`.',
    });
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
    const force = (result: ProgramResult): unknown => {
      const { metadata } = result.find(DEPLOYMENT, 'catalogd-controller-manager').inputs;
      return (metadata as { annotations: Record<string, string> }).annotations['pulumi.com/patchForce'];
    };
    assert.equal(force(await install()), undefined);
    assert.equal(force(await install({ adopt: true })), 'true');
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

  it('keeps what its controllers need in their namespace, whatever a manifest calls that', async () => {
    const manifest = manifestOf(OLM_MANIFEST.replaceAll('olmv1-system', 'olm'));
    const { resources } = await install({ manifest, registryCa: 'PEM', pullSecret: '{"auths":{}}' });
    const needed = resources.filter(({ type }) => type === SECRET || type === 'kubernetes:core/v1:ConfigMap');
    assert.deepEqual(
      needed.map(({ inputs }) => (inputs['metadata'] as { readonly namespace?: string }).namespace),
      ['olm', 'olm', 'olm'],
    );
  });

  it('says on its controllers which version they are of', async () => {
    const { metadata } = (await install()).find(DEPLOYMENT, 'operator-controller-controller-manager').inputs;
    const { annotations } = metadata as { annotations: Record<string, string> };
    assert.equal(annotations['inference-stack-fleet/olm-version'], '1.5.1');
  });

  it('refuses to go back from a newer OLM, whoever uses it', () => {
    const ours = { labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' }, version: '1.10.0' };
    assert.throws(() => new OlmV1('olm', { ...ARGS, existing: ours }), /would go back from OLM 1\.10\.0/);
  });

  it('leads to its controllers only when they are there, so that an upgrade never leads nowhere', async () => {
    const result = await install({ manifest: manifestOf(WITH_SERVICE) });
    const waitedFor = async (type: string, name: string): Promise<readonly string[]> => {
      const { dependsOn } = result.find(type, name).options;
      return Promise.all(
        (dependsOn as pulumi.Resource[]).map(async ({ urn }) => (await valueOf(urn)).split('::olm-').at(-1) ?? ''),
      );
    };
    const controllers = ['catalogd-controller-manager', 'operator-controller-controller-manager'];
    for (const [type, name] of [
      [WEBHOOK, 'catalogd-webhook'],
      ['kubernetes:core/v1:Service', 'catalogd-service'],
    ] as const) {
      assert.deepEqual(
        (await waitedFor(type, name)).filter((each) => controllers.includes(each)),
        controllers,
      );
    }
    assert.ok(
      (await waitedFor(DEPLOYMENT, controllers[0] ?? '')).includes('clusterextensions.olm.operatorframework.io'),
    );
  });

  it('has begun when what the controllers need is applied, and is ready when they run', async () => {
    let [begun, ready]: unknown[] = [];
    await runProgram(async () => {
      const olm = new OlmV1('olm', ARGS);
      [begun, ready] = [await valueOf(olm.begun), await valueOf(olm.ready)];
    });
    assert.ok((begun as string[]).includes('olm-clusterextensions.olm.operatorframework.io-id'));
    assert.ok(!(begun as string[]).some((id) => id.includes('controller-manager')));
    assert.deepEqual(ready, ['olm-catalogd-controller-manager-id', 'olm-operator-controller-controller-manager-id']);
  });

  it('runs on any node of a cluster without nodes of the control plane, and says so', async () => {
    const said = await infoOf(async () => {
      const result = await install({ manifest: manifestOf(OLM_MANIFEST_OF_CONTROL_PLANE), controlPlane: [] });
      for (const name of ['catalogd-controller-manager', 'operator-controller-controller-manager']) {
        assert.deepEqual(podOf(result, name).nodeSelector, {});
      }
    });
    assert.equal(said.length, 1);
    assert.match(said.join(), /but no node of the cluster fits, so OLM runs on any node\./);
  });

  it('lets the node of its only replica be drained', async () => {
    const budget = async (replicas: number): Promise<unknown> =>
      (await install({ manifest: manifestOf(WITH_SERVICE), replicas })).find(BUDGET, 'catalogd').inputs['spec'];
    assert.deepEqual(await budget(1), { minAvailable: 0 });
    assert.deepEqual(await budget(2), { minAvailable: 1 });
  });

  it('leaves open in a preview what extensions are written for while the CRD of another version is there', async () => {
    const name = 'clusterextensions.olm.operatorframework.io';
    const definition = {
      metadata: { name },
      spec: { versions: [{ schema: { openAPIV3Schema: { type: 'object' } } }] },
    };
    const labels = { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' };
    const isKnown = async (existing: OlmV1Args['existing'], preview: boolean): Promise<boolean> => {
      let api: pulumi.Output<string> | undefined;
      await runProgram(() => void (api = new OlmV1('olm', { ...ARGS, existing }).extensionApi), undefined, { preview });
      return (api as unknown as { isKnown: Promise<boolean> }).isKnown;
    };
    assert.equal(await isKnown({ labels, definition }, true), false);
    assert.equal(await isKnown({ labels, definition }, false), true);
    assert.equal(await isKnown({ labels, definition: { metadata: { name } } }, true), true);
    assert.equal(await isKnown(undefined, true), true);
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

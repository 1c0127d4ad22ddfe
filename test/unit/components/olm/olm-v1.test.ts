import type * as pulumi from '@pulumi/pulumi';
import assert from 'node:assert/strict';
import { OlmV1, type OlmV1Args } from '../../../../components/olm/olm-v1.ts';
import {
  ARGS,
  DEPLOYMENT,
  installOlm,
  manifestOf,
  podOf,
  SECRET,
  secretsOf,
  WEBHOOK,
} from '../../../support/olm/install-olm.ts';
import { OLM_MANIFEST, OLM_MANIFEST_OF_CONTROL_PLANE } from '../../../support/olm/olm-manifest.ts';
import { infoOf, runProgram, valueOf, type ProgramResult } from '../../../support/pulumi/pulumi-program.ts';

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

describe('OlmV1', () => {
  it('applies every object of the manifest but those of cert-manager', async () => {
    const { resources } = await installOlm();
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
      assert.equal((await installOlm(args)).resources.filter(({ type }) => type === DEPLOYMENT).length, 2);
    }
  });

  it('waits ten minutes for the newest pod of each controller, and not for one of an earlier configuration', async () => {
    const result = await installOlm();
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

  it('never deletes the CRDs, and meets retained ones again', async () => {
    const crd = (await installOlm()).find(CRD, 'clusterextensions.olm.operatorframework.io');
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
    assert.equal(force(await installOlm()), undefined);
    assert.equal(force(await installOlm({ adopt: true })), 'true');
  });

  it('runs images, replicas and resources of the stack', async () => {
    const resources = { requests: { cpu: '1' } };
    const result = await installOlm({
      images: { catalogd: 'mirror.example/catalogd@sha256:1' },
      replicas: 2,
      resources,
    });
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
    const result = await installOlm({ registryCa: 'PEM' });
    const pod = podOf(result, 'catalogd-controller-manager');
    assert.deepEqual(pod.containers[0].args, ['--leader-elect', '--pull-cas-dir=/var/registry-cas']);
    const volume = pod.volumes.find((each) => each.name === 'registry-cas') as
      { configMap: { name: string } } | undefined;
    const name = volume?.configMap.name ?? '';
    assert.deepEqual(result.find('kubernetes:core/v1:ConfigMap', name).inputs['data'], { 'registry-ca.crt': 'PEM' });
    const other = podOf(await installOlm({ registryCa: 'OTHER' }), 'catalogd-controller-manager');
    assert.equal(JSON.stringify(other).includes(name), false);
  });

  it('asks copies of images first', async () => {
    const registryMirrors = [{ source: 'docker.io/tytn', mirror: 'registry.example.com/mirror/tytn' }];
    const result = await installOlm({ registryMirrors });
    const pod = podOf(result, 'operator-controller-controller-manager');
    const volume = pod.volumes.find((each) => each.name === 'registry-mirrors') as
      { configMap: { name: string } } | undefined;
    assert.deepEqual(result.find('kubernetes:core/v1:ConfigMap', volume?.configMap.name ?? '').inputs['data'], {
      'mirrors.conf':
        '[[registry]]\nprefix = "docker.io/tytn"\nlocation = "docker.io/tytn"\n\n' +
        '[[registry.mirror]]\nlocation = "registry.example.com/mirror/tytn"\n',
    });
    assert.match(JSON.stringify(pod.containers), /"mountPath":"\/etc\/containers\/registries\.conf\.d"/);
  });

  it('pulls with the credentials of the stack', async () => {
    const result = await installOlm({ pullSecret: '{"auths":{}}' });
    const pod = podOf(result, 'operator-controller-controller-manager');
    assert.deepEqual(pod.imagePullSecrets, [{ name: 'registry-pull-secret' }]);
    assert.ok(pod.containers[0].args.includes('--global-pull-secret=olmv1-system/registry-pull-secret'));
    assert.ok(secretsOf(result).includes('registry-pull-secret'));
  });

  it('keeps what its controllers need in their namespace, whatever a manifest calls that', async () => {
    const manifest = manifestOf(OLM_MANIFEST.replaceAll('olmv1-system', 'olm'));
    const { resources } = await installOlm({ manifest, registryCa: 'PEM', pullSecret: '{"auths":{}}' });
    const needed = resources.filter(({ type }) => type === SECRET || type === 'kubernetes:core/v1:ConfigMap');
    assert.deepEqual(
      needed.map(({ inputs }) => (inputs['metadata'] as { readonly namespace?: string }).namespace),
      ['olm', 'olm', 'olm'],
    );
  });

  it('says on its controllers which version they are of', async () => {
    const { metadata } = (await installOlm()).find(DEPLOYMENT, 'operator-controller-controller-manager').inputs;
    const { annotations } = metadata as { annotations: Record<string, string> };
    assert.equal(annotations['inference-stack-fleet/olm-version'], '1.5.1');
  });

  it('refuses to go back from a newer OLM, whoever uses it', () => {
    const ours = { labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' }, version: '1.10.0' };
    assert.throws(() => new OlmV1('olm', { ...ARGS, existing: ours }), /would go back from OLM 1\.10\.0/);
  });

  it('leads to its controllers only when they are there, so that an upgrade never leads nowhere', async () => {
    const result = await installOlm({ manifest: manifestOf(WITH_SERVICE) });
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
      const result = await installOlm({ manifest: manifestOf(OLM_MANIFEST_OF_CONTROL_PLANE), controlPlane: [] });
      for (const name of ['catalogd-controller-manager', 'operator-controller-controller-manager']) {
        assert.deepEqual(podOf(result, name).nodeSelector, {});
      }
    });
    assert.equal(said.length, 1);
    assert.match(said.join(), /but no node of the cluster fits, so OLM runs on any node\./);
  });

  it('lets the node of its only replica be drained', async () => {
    const budget = async (replicas: number): Promise<unknown> =>
      (await installOlm({ manifest: manifestOf(WITH_SERVICE), replicas })).find(BUDGET, 'catalogd').inputs['spec'];
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
    const result = await installOlm({ proxy: { https: 'http://proxy.example:3128', none: ['10.0.0.0/8'] } });
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

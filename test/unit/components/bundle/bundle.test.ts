import assert from 'node:assert/strict';
import { buildBundle } from '../../../../components/bundle/bundle.ts';
import type { BundleArgs } from '../../../../components/bundle/bundle-args.ts';
import { bundleObjects, packageProperty } from '../../../../components/catalog/fbc.ts';
import { listAt, objectAt, textAt, type JsonObject } from '../../../../packages/lib/json.ts';
import { bundleToFbc } from '../../../../components/catalog/registry-v1.ts';

const ARGS: BundleArgs = {
  version: 'v1.2.3',
  crdVersion: 'v1alpha1',
  controllerImage: `docker.io/tytn/operator@sha256:${'a'.repeat(64)}`,
  created: new Date('2026-01-02T03:04:05Z'),
};

function objectsOf(args: Partial<BundleArgs> = {}): JsonObject[] {
  return bundleObjects(bundleToFbc('docker.io/tytn/operator-bundle:x', buildBundle({ ...ARGS, ...args }).files));
}

function csvOf(args: Partial<BundleArgs> = {}): JsonObject {
  const csv = objectsOf(args).find(({ kind }) => kind === 'ClusterServiceVersion');
  assert.ok(csv);
  return csv;
}

/** Names of everything that OLM creates from the bundle: the manifests and the CSV's Deployments. */
function createdNames(version: string): string[] {
  const deployments = listAt(
    objectAt(objectAt(objectAt(csvOf({ version }), 'spec'), 'install'), 'spec'),
    'deployments',
  );
  return objectsOf({ version })
    .filter(({ kind }) => kind !== 'ClusterServiceVersion')
    .map((object) => `${textAt(object, 'kind')} ${textAt(objectAt(object, 'metadata'), 'name')}`)
    .concat(deployments.map((deployment) => `Deployment ${textAt(deployment, 'name')}`))
    .sort();
}

describe('the operator bundle', () => {
  it('is named after its package and version', () => {
    const bundle = bundleToFbc('docker.io/tytn/operator-bundle:x', buildBundle(ARGS).files);
    assert.equal(bundle.name, 'inference-stack-operator.v1.2.3');
    assert.deepEqual(packageProperty(bundle), { packageName: 'inference-stack-operator', version: '1.2.3' });
  });

  it('keeps every object name within a major, and shares none with another major', () => {
    assert.deepEqual(createdNames('v1.2.3'), createdNames('v1.9.0-rc.1'));
    const other = new Set(createdNames('v2.0.0'));
    assert.deepEqual(
      createdNames('v1.2.3').filter((name) => other.has(name)),
      [],
    );
    assert.equal(other.size, 7);
  });

  it('is installed for all namespaces only, and neither owns nor requires the custom resource definition', () => {
    const spec = objectAt(csvOf(), 'spec');
    const supported = listAt(spec, 'installModes').filter((mode) => (mode as JsonObject).supported === true);
    assert.deepEqual(supported, [{ type: 'AllNamespaces', supported: true }]);
    assert.deepEqual(spec.customresourcedefinitions, {});
    assert.ok(!objectsOf().some(({ kind }) => kind === 'CustomResourceDefinition'));
  });

  it('runs the controller by digest, hardened, and tells it who it is', () => {
    const spec = objectAt(csvOf(), 'spec');
    assert.deepEqual(spec.relatedImages, [{ name: 'controller', image: ARGS.controllerImage }]);
    const [deployment] = listAt(objectAt(objectAt(spec, 'install'), 'spec'), 'deployments');
    const pod = objectAt(objectAt(objectAt(deployment ?? null, 'spec'), 'template'), 'spec');
    const [container] = listAt(pod, 'containers');
    assert.ok(container);
    assert.equal(textAt(container, 'image'), ARGS.controllerImage);
    assert.deepEqual(objectAt(container, 'securityContext'), {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const env = new Map(listAt(container, 'env').map((entry) => [textAt(entry, 'name'), textAt(entry, 'value')]));
    assert.equal(env.get('OPERATOR_VERSION'), '1.2.3');
    assert.equal(env.get('OPERATOR_NAME'), 'inference-stack-operator-v1');
    assert.equal(env.get('LEASE_NAMESPACE'), 'inference-stack-operator-system');
  });

  it('grants no wildcard, no Secrets and no way to grant more', () => {
    const rules = objectsOf()
      .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
      .flatMap((role) => listAt(role, 'rules'));
    const words = rules.flatMap((rule) => ['apiGroups', 'resources', 'verbs'].flatMap((key) => listAt(rule, key)));
    assert.ok(rules.length > 10);
    for (const word of ['*', 'secrets', 'escalate', 'bind', 'impersonate', 'clusterroles', 'roles']) {
      assert.ok(!words.includes(word), word);
    }
  });

  it('may write the Lease of its own major, and only that one', () => {
    const role = objectsOf().find(({ kind }) => kind === 'Role');
    const writes = listAt(role ?? null, 'rules').filter((rule) => listAt(rule, 'verbs').includes('update'));
    assert.deepEqual(
      writes.map((rule) => listAt(rule, 'resourceNames')),
      [['inference-stack-operator-v1']],
    );
  });

  it('carries the labels that OLM reads, in the image and in its metadata', () => {
    const { labels, files } = buildBundle({ ...ARGS, channels: ['fast', 'stable'] });
    assert.equal(labels['operators.operatorframework.io.bundle.mediatype.v1'], 'registry+v1');
    assert.equal(labels['operators.operatorframework.io.bundle.channels.v1'], 'fast,stable');
    assert.equal(labels['operators.operatorframework.io.bundle.channel.default.v1'], 'stable');
    for (const [label, value] of Object.entries(labels)) {
      assert.ok(files.get('metadata/annotations.yaml')?.includes(`${label}: ${value}`), label);
    }
  });

  it('is the same from the same arguments, and dated by the commit', () => {
    assert.deepEqual([...buildBundle(ARGS).files], [...buildBundle(ARGS).files]);
    assert.equal(objectAt(objectAt(csvOf(), 'metadata'), 'annotations').createdAt, '2026-01-02T03:04:05Z');
  });

  it('names the Secret that every cluster of the fleet keeps its credentials in', () => {
    assert.ok(JSON.stringify(csvOf()).includes('"imagePullSecrets":[{"name":"registry-pull-secret"}]'));
  });

  it('is refused with everything that is wrong', () => {
    const wrong = { version: '1.2', crdVersion: 'v1', controllerImage: 'docker.io/tytn/operator:1.2' };
    assert.throws(() => buildBundle({ ...ARGS, ...wrong }), {
      message: [
        'bundle 1.2: VERSION: is not a version (got "1.2"). Use a semantic version such as v1.2.3.',
        'bundle 1.2: CRD_VERSION: is not served (got "v1"). Use one of: v1alpha1, v1beta1.',
        'bundle 1.2: CONTROLLER_IMAGE: does not name an image by digest (got "docker.io/tytn/operator:1.2"). ' +
          'Push the controller image and use what the push reports, e.g. registry.example.com/fleet/operator@sha256:….',
      ].join('\n'),
    });
    assert.throws(() => buildBundle({ ...ARGS, version: 'v1.2.3+build' }), /has build metadata/);
  });
});

import assert from 'node:assert/strict';
import { checkExistingOlm } from '../../../../components/olm/existing.ts';
import { parseManifest } from '../../../../components/olm/manifest.ts';
import { readManifest } from '../../../../components/olm/source.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { OLM_MANIFEST } from '../../../support/olm/olm-manifest.ts';

describe('the manifest of OLM', () => {
  it('is refused when it is something else', () => {
    assert.throws(() => parseManifest('kind: Pod\napiVersion: v1\nmetadata: {name: x}', 'pod.yaml'), {
      message: [
        'CustomResourceDefinition clustercatalogs.olm.operatorframework.io',
        'CustomResourceDefinition clusterextensions.olm.operatorframework.io',
        'Deployment catalogd-controller-manager',
        'Deployment operator-controller-controller-manager',
      ]
        .map(
          (name) =>
            `pod.yaml: ${name}: is missing. Name the manifest of an OLM v1 release, such as operator-controller.yaml or manifests/standard.yaml.`,
        )
        .join('\n'),
    });
  });

  it('is refused when a document is no object', () => {
    assert.throws(() => parseManifest(`${OLM_MANIFEST}---\n- 1\n`, 'olm.yaml'), {
      message: 'olm.yaml: document 11: is not a Kubernetes object',
    });
  });

  it('names the file that cannot be read and what to do', async () => {
    await assert.rejects(readManifest('missing-{version}.yaml', '1.5.1'), {
      message:
        "missing-1.5.1.yaml: manifest: cannot be read: ENOENT: no such file or directory, open 'missing-1.5.1.yaml'. Name the path or URL of the released manifest.",
    });
  });

  it('is refused when its digest is another', async () => {
    await assert.rejects(
      readManifest('LICENSE', '1.5.1', '0'.repeat(64)),
      /LICENSE: manifestSha256: is not the digest/,
    );
  });
});

describe('an OLM that is in the cluster already', () => {
  const foreign = { labels: {} };
  const ours = { labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' } };

  it('is not installed over when something else installed it', () => {
    assert.deepEqual(checkExistingOlm('install', foreign).map(formatProblem), [
      'CustomResourceDefinition clusterextensions.olm.operatorframework.io: mode: would install over an OLM v1 that something else installed (got "install"). Choose `existing` to use that one as it is, or `adopt` to take it over.',
    ]);
  });

  it('is known by its controller where only its CRDs are ours', () => {
    const since = { ...ours, controllerLabels: {} };
    assert.match(checkExistingOlm('install', since).map(formatProblem).join(), /that something else installed/);
    assert.deepEqual(checkExistingOlm('existing', since), []);
    assert.deepEqual(checkExistingOlm('install', { ...foreign, controllerLabels: ours.labels }), []);
  });

  it('is not dropped when it is ours', () => {
    assert.deepEqual(checkExistingOlm('existing', { ...ours, controllerLabels: ours.labels }).map(formatProblem), [
      'Deployment olmv1-system/operator-controller-controller-manager: mode: would remove OLM v1, which this program has installed or taken over (got "existing"). Choose what it was before.',
    ]);
  });

  it('is upgraded when it is ours, adopted when told to, used when told to', () => {
    assert.deepEqual(checkExistingOlm('install', ours), []);
    assert.deepEqual(checkExistingOlm('install', undefined), []);
    assert.deepEqual(checkExistingOlm('adopt', foreign), []);
    assert.deepEqual(checkExistingOlm('existing', foreign), []);
    // What an earlier OLM of ours has left, and one that somebody put elsewhere than its releases do.
    assert.deepEqual(checkExistingOlm('existing', ours), []);
  });

  it('must be there to be used', () => {
    assert.deepEqual(checkExistingOlm('existing', undefined).map(formatProblem), [
      'CustomResourceDefinition clusterextensions.olm.operatorframework.io: mode: expects an OLM v1 in the cluster, but there is none (got "existing"). Install OLM v1, or have it installed by this.',
    ]);
  });
});

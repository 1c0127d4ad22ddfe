import assert from 'node:assert/strict';
import { buildBundle } from '../../../../components/bundle/bundle.ts';
import { communityFiles } from '../../../../components/bundle/community-layout.ts';
import { textImageContext } from '../../../../components/images/build-context.ts';

const BUNDLE = buildBundle({
  version: 'v1.2.3',
  crdVersion: 'v1beta1',
  controllerImage: `docker.io/tytn/operator@sha256:${'a'.repeat(64)}`,
  created: new Date('2026-01-02T03:04:05Z'),
});

describe('a bundle for a repository of community operators', () => {
  it('has the manifests of the release, and no Dockerfile', () => {
    const files = communityFiles(textImageContext(BUNDLE));
    assert.deepEqual([...files.keys()].sort(), [...BUNDLE.files.keys()].sort());
    for (const [path, text] of BUNDLE.files) if (path.startsWith('manifests/')) assert.equal(files.get(path), text);
  });

  it('says from which OpenShift on it works, as its minKubeVersion does in the numbers of Kubernetes', () => {
    const released = BUNDLE.files.get('metadata/annotations.yaml') ?? '';
    const annotations = communityFiles(BUNDLE.files).get('metadata/annotations.yaml');
    assert.equal(annotations, `${released}  com.redhat.openshift.versions: v4.17\n`);
    assert.match([...BUNDLE.files.values()].join(''), /minKubeVersion: 1\.30\.0\n/);
  });
});

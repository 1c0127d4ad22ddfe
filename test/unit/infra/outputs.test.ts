import assert from 'node:assert/strict';
import * as pulumi from '@pulumi/pulumi';
import type { ContainerImage } from '../../../components/images/container-image.ts';
import { loadSettings } from '../../../infra/config/load.ts';
import { PROJECT } from '../../../infra/config/project.ts';
import type { ClusterDescription } from '../../../infra/cluster/describe-cluster.ts';
import { describeOutputs, type FleetOutputs } from '../../../infra/outputs.ts';

const ONWARDS = 'registry.example:5000/mirror/onwards@sha256:1';
const LLAMA = 'registry.example:5000/mirror/llama-cpp@sha256:2';

describe('what pulumi up ends with', () => {
  const settings = loadSettings('test', {
    [`${PROJECT}:kubeContext`]: 'staging',
    [`${PROJECT}:operators`]: '[]',
    [`${PROJECT}:catalog`]: JSON.stringify({ source: 'image', image: 'registry.example/catalog:1' }),
  });
  const image = { ref: pulumi.output('registry.example/demo-runtime@sha256:3') } as ContainerImage;
  const demo = { repository: 'registry.example/demo-runtime', tag: 'checkout', image };

  function outputs(images: ClusterDescription['images'], shows = true): FleetOutputs {
    return describeOutputs({
      settings,
      cluster: { context: 'staging', images },
      olm: undefined,
      operators: [],
      running: undefined,
      catalogImage: undefined,
      demo: shows ? demo : undefined,
    });
  }

  it('names the images that serve a model, by digest', () => {
    assert.deepEqual(outputs({ onwards: ONWARDS, llamaCpp: LLAMA }).serving, {
      onwards: { repository: 'registry.example:5000/mirror/onwards', digest: 'sha256:1' },
      llamacpp: { repository: 'registry.example:5000/mirror/llama-cpp', digest: 'sha256:2' },
    });
  });

  it('names none of them unless the cluster has both', () => {
    for (const images of [{}, { onwards: ONWARDS }, { llamaCpp: LLAMA }])
      assert.equal('serving' in outputs(images), false);
  });

  it('names none where nothing is shown', () => {
    const { serving, demoRuntime } = outputs({ onwards: ONWARDS, llamaCpp: LLAMA }, false);
    assert.deepEqual([serving, demoRuntime], [undefined, undefined]);
  });
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { demoRuntime, demoStack } from '../../../../cli/demo/demo-stack.ts';

const IMAGE = { repository: 'registry.example:5000/demo-runtime', tag: 'checkout' };
const GATEWAY = { repository: 'registry.example:5000/onwards', digest: `sha256:${'0'.repeat(64)}` };
const IMAGES = { gateway: GATEWAY, application: IMAGE };

describe('the stack of the demo', () => {
  it('runs the images that the program has built, whatever registry the example names', () => {
    for (const file of globSync('examples/*/stack*.yaml')) {
      const { spec } = demoStack(readFileSync(file, 'utf8'), file, IMAGES);
      assert.deepEqual(spec.gateway?.image, GATEWAY, file);
      const images = Object.values(spec.applications ?? {}).map(({ image }) => image);
      assert.ok(images.length > 0, file);
      for (const image of images) assert.deepEqual(image, IMAGE, file);
    }
  });

  it('is otherwise that of the example', () => {
    const stack = `apiVersion: models.titanml.co/v1beta1
kind: InferenceStack
metadata: { name: hello, labels: { operatorVersion: v1 } }
spec: { gateway: { replicaCount: 2, image: { tag: old } }, applications: { a: { readerConfig: { modelName: m } }, b: {} } }
`;
    assert.deepEqual(demoStack(stack, 'a.yaml', IMAGES), {
      apiVersion: 'models.titanml.co/v1beta1',
      kind: 'InferenceStack',
      metadata: { name: 'hello', labels: { operatorVersion: 'v1' } },
      spec: {
        gateway: { replicaCount: 2, image: GATEWAY },
        applications: { a: { readerConfig: { modelName: 'm' }, image: IMAGE }, b: { image: IMAGE } },
      },
    });
  });

  it('says what is wrong with an example', () => {
    assert.throws(() => demoStack('kind: InferenceStack', 'a.yaml', IMAGES), /apiVersion: must be/);
  });

  it('takes the image from the outputs of the program', () => {
    const digest = `${IMAGE.repository}@sha256:1`;
    assert.deepEqual(demoRuntime({ olm: '1.10.0', demoRuntime: { ...IMAGE, digest } }), IMAGE);
    assert.throws(() => demoRuntime({ olm: '1.10.0' }), {
      message: 'outputs: demoRuntime: names no repository and tag',
    });
  });
});

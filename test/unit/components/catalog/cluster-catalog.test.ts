import assert from 'node:assert/strict';
import { ClusterCatalog } from '../../../../components/catalog/cluster-catalog.ts';
import { runProgram } from '../../../support/pulumi/pulumi-program.ts';

const DIGEST = `registry.example/catalog@sha256:${'b'.repeat(64)}`;

async function inputsFor(image: string): Promise<Readonly<Record<string, unknown>>> {
  const result = await runProgram(() => {
    new ClusterCatalog('served', { name: 'catalog', image, source: 'build', pollMinutes: 15, priority: 3 });
  });
  return result.find('kubernetes:olm.operatorframework.io/v1:ClusterCatalog', 'catalog').inputs;
}

describe('a ClusterCatalog', () => {
  it('is polled when its image is a tag, and ready when it serves', async () => {
    assert.deepEqual(await inputsFor('registry.example/catalog:latest'), {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterCatalog',
      metadata: {
        name: 'catalog',
        labels: {
          'app.kubernetes.io/managed-by': 'inference-stack-fleet',
          'olm.operatorframework.io/metadata.name': 'catalog',
          'inference-stack-fleet/catalog-source': 'build',
        },
        annotations: { 'pulumi.com/waitFor': '["condition=Serving"]' },
      },
      spec: {
        priority: 3,
        source: { type: 'Image', image: { ref: 'registry.example/catalog:latest', pollIntervalMinutes: 15 } },
      },
    });
  });

  it('is polled every 15 minutes with priority 0 where nothing else is said', async () => {
    const result = await runProgram(() => {
      new ClusterCatalog('served', { name: 'catalog', image: 'registry.example/catalog:1', source: 'image' });
    });
    const { inputs } = result.find('kubernetes:olm.operatorframework.io/v1:ClusterCatalog', 'catalog');
    assert.deepEqual(inputs['spec'], {
      priority: 0,
      source: { type: 'Image', image: { ref: 'registry.example/catalog:1', pollIntervalMinutes: 15 } },
    });
  });

  it('is not polled when its image is a digest, and ready when it serves that digest', async () => {
    const inputs = await inputsFor(DIGEST);
    assert.deepEqual((inputs['spec'] as { source: unknown }).source, { type: 'Image', image: { ref: DIGEST } });
    const { annotations } = inputs['metadata'] as { annotations: Record<string, string> };
    assert.equal(
      annotations['pulumi.com/waitFor'],
      JSON.stringify(['condition=Serving', `jsonpath={.status.resolvedSource.image.ref}=${DIGEST}`]),
    );
  });
});

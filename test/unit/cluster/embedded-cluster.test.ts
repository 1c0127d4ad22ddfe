import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEmbeddedCluster, type EmbeddedClusterDescription } from '../../../cluster/embedded-cluster.ts';

describe('the description of the embedded cluster', () => {
  let directory: string;
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'embedded-'))));
  afterEach(() => rm(directory, { recursive: true }));
  const description = (): EmbeddedClusterDescription => describeEmbeddedCluster({ CLUSTER_STATE: directory });

  it('has its addresses before it is first started, and neither an authority nor images', () => {
    const { kubeconfig, context, registry, authority, images, stopped } = description();
    assert.deepEqual([kubeconfig, context], [join(directory, 'kubeconfig'), 'fleet']);
    assert.match(registry, /:5000$/);
    assert.deepEqual([authority, images.node, images.catalogd, stopped], [undefined, undefined, undefined, undefined]);
  });

  it('has what it was started with', async () => {
    await mkdir(join(directory, 'pki'));
    await writeFile(join(directory, 'pki', 'ca.crt'), 'authority');
    const names = ['node', 'catalogd', 'operator-controller', 'onwards', 'llama-cpp'];
    const mirror = Object.fromEntries(names.map((name) => [name, { ref: `${name}@sha256:1` }]));
    await writeFile(join(directory, 'mirror.json'), JSON.stringify(mirror));
    const { authority, images } = description();
    assert.equal(authority, 'authority');
    assert.deepEqual(images, {
      node: 'node@sha256:1',
      catalogd: 'catalogd@sha256:1',
      operatorController: 'operator-controller@sha256:1',
      onwards: 'onwards@sha256:1',
      llamaCpp: 'llama-cpp@sha256:1',
    });
  });

  it('says that it is stopped when it was started and does not run', async () => {
    await writeFile(join(directory, 'cluster.json'), '{}');
    assert.equal(description().stopped?.message, 'is stopped');
  });
});

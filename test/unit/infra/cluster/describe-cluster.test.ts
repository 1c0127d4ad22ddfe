import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeCluster, type ClusterDescription } from '../../../../infra/cluster/describe-cluster.ts';
import type { Settings } from '../../../../infra/config/schema.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { withClusterState } from '../../../support/embedded/cluster-state.ts';

describe('the cluster of an environment', () => {
  it('brings a registry where it is the embedded one, unless the settings name another', () =>
    withClusterState(async (directory) => {
      const { identity, kubeconfig, repository } = await describeCluster(
        { cluster: 'embedded', images: {} } as Settings,
        checkout,
      );
      assert.deepEqual([identity, kubeconfig], ['embedded', join(directory, 'kubeconfig')]);
      assert.match(repository ?? '', /:5000$/);
      const chosen = { cluster: 'embedded', images: { repository: 'registry.example' } } as Settings;
      assert.equal((await describeCluster(chosen, checkout)).repository, 'registry.example');
    }));
});

describe('paths in the settings of an environment', () => {
  const cluster = (settings: Partial<Settings>): Promise<ClusterDescription> =>
    describeCluster({ cluster: 'kubeconfig', kubeContext: 'there', images: {}, ...settings } as Settings, checkout);
  const PEM = '-----BEGIN CERTIFICATE-----\n';
  let directory: string;
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'target-'))));
  afterEach(async () => rm(directory, { recursive: true }));

  it('count from the checkout, wherever Pulumi runs the program', async () => {
    await writeFile(join(directory, 'ca.pem'), PEM);
    const { kubeconfig, registryCa } = await cluster({
      kubeconfig: 'clusters/config',
      registryCa: relative(checkout, join(directory, 'ca.pem')),
    });
    assert.equal(kubeconfig, join(checkout, 'clusters', 'config'));
    assert.equal(registryCa, PEM);
  });

  it('count from the home of whoever runs it where they say so', async () => {
    const { kubeconfig } = await cluster({ kubeconfig: '~/.kube/prod' });
    assert.equal(kubeconfig, join(homedir(), '.kube', 'prod'));
  });

  it('are named when no certificate is there', async () => {
    const file = join(directory, 'ca.pem');
    await writeFile(file, 'der');
    await assert.rejects(cluster({ registryCa: file }), {
      message: `registryCa: does not hold a certificate (got "${file}"). Name a PEM file; a relative path starts at the checkout.`,
    });
  });

  it('are named when there is nothing', async () => {
    const missing = join(directory, 'missing.pem');
    await assert.rejects(cluster({ registryCa: missing }), {
      message: `registryCa: cannot be read (ENOENT) (got "${missing}"). Name a PEM file; a relative path starts at the checkout.`,
    });
  });
});

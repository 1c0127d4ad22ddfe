import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { askCluster } from '../../../../infra/cluster/ask-cluster.ts';
import { describeCluster, type ClusterDescription } from '../../../../infra/cluster/describe-cluster.ts';
import type { Settings } from '../../../../infra/config/schema.ts';

describe('the embedded cluster, asked by the program', () => {
  let directory: string;
  let before: string | undefined;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'target-'));
    before = process.env['CLUSTER_STATE'];
    process.env['CLUSTER_STATE'] = directory;
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['CLUSTER_STATE'];
    else process.env['CLUSTER_STATE'] = before;
    await rm(directory, { recursive: true });
  });

  const describeEmbedded = (): Promise<ClusterDescription> =>
    describeCluster({ cluster: 'embedded', images: {} } as Settings, checkout);

  it('is a new cluster to a preview if it was never started', async () => {
    const warnings: string[] = [];
    const live = await askCluster(await describeEmbedded(), true, (warning) => warnings.push(warning));
    assert.equal(live.known, false);
    assert.match(warnings.join(), /this preview is that of a new cluster/);
  });

  it('comes with its registry, builder and images, for what the settings do not name', async () => {
    await mkdir(join(directory, 'pki'));
    await writeFile(join(directory, 'pki', 'ca.crt'), 'authority');
    const mirror = { node: { ref: 'node@sha256:1' }, 'operator-controller': { ref: 'controller@sha256:2' } };
    await writeFile(join(directory, 'mirror.json'), JSON.stringify(mirror));
    const { identity, kubeconfig, repository, registryCa, buildxInstance, images } = await describeEmbedded();
    assert.deepEqual([identity, kubeconfig, buildxInstance], ['embedded', join(directory, 'kubeconfig'), 'fleet']);
    assert.match(repository ?? '', /:5000$/);
    assert.equal(registryCa, 'authority');
    assert.deepEqual([images.node, images.operatorController], ['node@sha256:1', 'controller@sha256:2']);
    const chosen = { cluster: 'embedded', images: { repository: 'registry.example' } } as Settings;
    assert.equal((await describeCluster(chosen, checkout)).repository, 'registry.example');
  });

  it('is nothing that a preview could be made of while it is stopped', async () => {
    await writeFile(join(directory, 'cluster.json'), '{}');
    await assert.rejects(
      askCluster(await describeEmbedded(), true, () => undefined),
      {
        message: 'embedded cluster: fleet: is stopped. Start it with: make cluster-up',
      },
    );
  });
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
      message: `registryCa: does not hold a certificate (got "${file}"). Name a PEM file; a relative path counts from the checkout.`,
    });
  });

  it('are named when there is nothing', async () => {
    const missing = join(directory, 'missing.pem');
    await assert.rejects(cluster({ registryCa: missing }), {
      message: `registryCa: cannot be read (ENOENT) (got "${missing}"). Name a PEM file; a relative path counts from the checkout.`,
    });
  });
});

describe('a cluster that is called as the embedded one is', () => {
  it('is not taken for it', async () => {
    const settings = { cluster: 'kubeconfig', kubeContext: 'embedded', kubeconfig: '/missing', images: {} } as Settings;
    const cluster = await describeCluster(settings, checkout);
    assert.equal(cluster.stopped, undefined);
    await assert.rejects(
      askCluster(cluster, false, () => undefined),
      /^ProblemsError: kubeContext: cannot be reached: .* \(got "embedded"\)\. Check it with `kubectl cluster-info`\.$/,
    );
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { askTarget, findTarget, type Target } from '../../../../infra/cluster/target.ts';
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

  const target = (): Promise<Target> => findTarget({ cluster: 'embedded', images: {} } as Settings);

  it('is a new cluster to a preview if it was never started', async () => {
    const warnings: string[] = [];
    const live = await askTarget(await target(), true, (warning) => warnings.push(warning));
    assert.equal(live.known, false);
    assert.match(warnings.join(), /this preview is that of a new cluster/);
  });

  it('is nothing that a preview could be made of while it is stopped', async () => {
    await writeFile(join(directory, 'cluster.json'), '{}');
    await assert.rejects(
      askTarget(await target(), true, () => undefined),
      {
        message: 'embedded cluster: fleet: is stopped. Start it with: make cluster-up',
      },
    );
  });
});

describe('paths in the settings of a stack', () => {
  const target = (settings: Partial<Settings>): Promise<Target> =>
    findTarget({ cluster: 'kubeconfig', kubeContext: 'there', images: {}, ...settings } as Settings);
  const PEM = '-----BEGIN CERTIFICATE-----\n';
  let directory: string;
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), 'target-'))));
  afterEach(async () => rm(directory, { recursive: true }));

  it('count from the checkout, wherever Pulumi runs the program', async () => {
    await writeFile(join(directory, 'ca.pem'), PEM);
    const { kubeconfig, registryCa } = await target({
      kubeconfig: 'clusters/config',
      registryCa: relative(checkout, join(directory, 'ca.pem')),
    });
    assert.equal(kubeconfig, join(checkout, 'clusters', 'config'));
    assert.equal(registryCa, PEM);
  });

  it('count from the home of whoever runs it where they say so', async () => {
    const { kubeconfig } = await target({ kubeconfig: '~/.kube/prod' });
    assert.equal(kubeconfig, join(homedir(), '.kube', 'prod'));
  });

  it('are named when no certificate is there', async () => {
    const file = join(directory, 'ca.pem');
    await writeFile(file, 'der');
    await assert.rejects(target({ registryCa: file }), {
      message: `registryCa: holds no certificate (got "${file}"). Name a PEM file; a relative path counts from the checkout.`,
    });
  });

  it('are named when there is nothing', async () => {
    const missing = join(directory, 'missing.pem');
    await assert.rejects(target({ registryCa: missing }), {
      message: `registryCa: cannot be read (ENOENT) (got "${missing}"). Name a PEM file; a relative path counts from the checkout.`,
    });
  });
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askCluster } from '../../../../infra/cluster/ask-cluster.ts';
import { describeCluster } from '../../../../infra/cluster/describe-cluster.ts';
import type { Settings } from '../../../../infra/config/schema.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { withClusterState } from '../../../support/embedded/cluster-state.ts';

const EMBEDDED = { cluster: 'embedded', images: {} } as Settings;
const silent = (): void => undefined;

describe('the embedded cluster, asked by the program', () => {
  it('is a new cluster to a preview if it was never started', () =>
    withClusterState(async () => {
      const warnings: string[] = [];
      const cluster = await describeCluster(EMBEDDED, checkout);
      const live = await askCluster(cluster, true, (warning) => warnings.push(warning));
      assert.equal(live.known, false);
      assert.match(warnings.join(), /this preview assumes a new cluster/);
    }));

  it('is nothing that a preview could be made of while it is stopped', () =>
    withClusterState(async (directory) => {
      await writeFile(join(directory, 'cluster.json'), '{}');
      await assert.rejects(askCluster(await describeCluster(EMBEDDED, checkout), true, silent), {
        message: 'embedded cluster: fleet: is stopped. Start it with: make cluster-up',
      });
    }));
});

describe('a cluster that is called as the embedded one is', () => {
  it('is not taken for it', async () => {
    const settings = { cluster: 'kubeconfig', kubeContext: 'embedded', kubeconfig: '/missing', images: {} } as Settings;
    const cluster = await describeCluster(settings, checkout);
    assert.equal(cluster.stopped, undefined);
    await assert.rejects(
      askCluster(cluster, false, silent),
      /^ProblemsError: kubeContext: cannot be reached: .* \(got "embedded"\)\. Check it with `kubectl cluster-info`\.$/,
    );
  });
});

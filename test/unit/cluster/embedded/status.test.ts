import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from '../../../../cluster/embedded/cluster.ts';
import { layoutOf } from '../../../../cluster/embedded/layout.ts';
import { readSettings } from '../../../../cluster/embedded/settings.ts';

describe('an embedded cluster that is not there', () => {
  // The name of the committed settings may be that of a cluster that runs.
  const settings = { ...readSettings(), name: `absent-${process.pid}` };
  const state = join(tmpdir(), `no-cluster-${process.pid}`);
  const cluster = new Cluster(layoutOf(settings, { CLUSTER_STATE: state }), settings);

  it('can be looked at, stopped and deleted by a checkout that has built none of its programs', async () => {
    assert.deepEqual(
      cluster.status().filter(({ pid }) => pid !== undefined),
      [],
    );
    assert.equal(await cluster.down(), false);
    assert.equal(await cluster.delete(), false);
  });
});

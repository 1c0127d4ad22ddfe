import assert from 'node:assert/strict';
import { readDefinitions } from '../../../components/api/definitions.ts';
import { readLiveDefinitions } from '../../../components/api/read-live-definitions.ts';
import { changesApi } from '../../../infra/impact/platform-impact.ts';
import type { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';

describe('the API in a cluster', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  before(async () => (plane = await startPlane()));
  after(() => plane.stop());

  it('is not taken for another one than what was applied, however the API server stores it', async () => {
    const live = await readLiveDefinitions(plane.client);
    assert.equal(live.length, 1);
    assert.equal(changesApi(live, await readDefinitions()), false);
  });
});

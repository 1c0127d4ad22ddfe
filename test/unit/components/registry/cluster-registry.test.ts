import assert from 'node:assert/strict';
import { withClusterRegistry } from '../../../../components/registry/cluster-registry.ts';

describe('a registry as the cluster reads it', () => {
  it('refuses a malformed pull secret without showing any of it', async () => {
    for (const pullSecret of ['{"auths":{"r":{"auth":hunter2}}}', '{"auths":{"r":"hunter2"}}', 'hunter2']) {
      await assert.rejects(
        withClusterRegistry({ pullSecret }, () => Promise.resolve()),
        (error: Error) => error.message.includes('pullSecret') && !String(error.stack).includes('hunter'),
      );
    }
  });
});

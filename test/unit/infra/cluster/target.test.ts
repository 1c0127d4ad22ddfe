import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

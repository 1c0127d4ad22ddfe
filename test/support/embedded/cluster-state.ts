import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a test with an embedded cluster that was never started, whose state would be in this directory. */
export async function withClusterState(test: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'cluster-state-'));
  const before = process.env['CLUSTER_STATE'];
  process.env['CLUSTER_STATE'] = directory;
  try {
    await test(directory);
  } finally {
    if (before === undefined) delete process.env['CLUSTER_STATE'];
    else process.env['CLUSTER_STATE'] = before;
    await rm(directory, { recursive: true });
  }
}

import { mkdirSync, statfsSync } from 'node:fs';
import { refuse } from '../../packages/lib/problem.ts';
import { unsupportedProblems } from '../../toolchain/preflight/embedded-cluster.ts';
import type { Layout } from './layout.ts';

const NEEDED_DISK_GB = 3;

/** What has to hold before anything is started or written. */
export function refuseUnsupported(platform?: string, uid?: number): void {
  refuse(unsupportedProblems(platform, uid));
}

export function refuseFullDisk(layout: Layout): void {
  mkdirSync(layout.root, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(layout.root);
  const free = (bavail * bsize) / 1e9;
  if (free >= NEEDED_DISK_GB) return;
  refuse([
    {
      object: 'embedded cluster',
      path: layout.root,
      value: `${free.toFixed(1)} GB free`,
      message: `has too little room: ${NEEDED_DISK_GB} GB are needed`,
      remedy: 'Free some, or set CLUSTER_STATE to a directory on a larger disk.',
    },
  ]);
}

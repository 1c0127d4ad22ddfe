import { mkdirSync, statfsSync } from 'node:fs';
import { type Problem, refuse } from '../../controller/src/problem.ts';
import type { Layout } from './layout.ts';

const NEEDED_DISK_GB = 3;
export const ELSEWHERE = 'Use your own cluster instead: docs/how-to/use-your-own-cluster.md.';

/** What has to hold before anything is started or written. */
export function refuseUnsupported(platform?: string, uid?: number): void {
  refuse(unsupportedProblems(platform, uid));
}

export function unsupportedProblems(platform: string = process.platform, uid = process.getuid?.()): Problem[] {
  const problems: Problem[] = [];
  if (platform !== 'linux') {
    const message = 'cannot run the embedded cluster, which is made of Linux programs';
    problems.push({ object: 'embedded cluster', path: 'platform', value: platform, message, remedy: ELSEWHERE });
  } else if (uid !== 0) {
    const message = 'may not make namespaces and mounts: root is needed';
    const remedy = `Run the same command with sudo. ${ELSEWHERE}`;
    problems.push({ object: 'embedded cluster', path: 'user', value: uid, message, remedy });
  }
  return problems;
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

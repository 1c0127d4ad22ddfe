import type { Problem } from '../../packages/lib/problem.ts';

export const ELSEWHERE = 'Use your own cluster instead: docs/how-to/use-your-own-cluster.md.';

/** Why this user cannot run the embedded cluster on this machine. It is checked before any of its programs is built. */
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

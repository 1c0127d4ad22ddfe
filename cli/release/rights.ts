import { leaderElectionRules, operatorClusterRules } from '../../components/bundle/operator-rbac.ts';
import type { AskedRights } from './surface.ts';

/** What the bundle of a major asks for. */
export function askedRights(major: number): AskedRights[] {
  return [
    { scope: 'cluster', rules: operatorClusterRules(major) },
    { scope: 'namespace', rules: leaderElectionRules(major) },
  ];
}

import type { PlannedOperator } from '../../components/fleet/plan.ts';
import { describeGaps, describeImpact } from '../../components/impact/upgrade/describe-impact.ts';
import { readLiveObjects } from '../../components/impact/upgrade/live-objects.ts';
import { readCapabilities, type ReadClient } from '../../components/impact/upgrade/question.ts';
import { upgradeImpact, type LiveCluster, type UpgradeImpact } from '../../components/impact/upgrade/upgrade-impact.ts';
import { messageOf } from '../../packages/lib/error.ts';
import type { PreparedCatalog } from '../catalog/prepare-catalog.ts';
import type { Environment } from '../environment.ts';
import { readVersion } from './read-version.ts';

/** What becomes of the stacks of one operator. */
export interface OperatorImpact {
  readonly major: number;
  /** The version that is installed. */
  readonly from: string;
  readonly to: string;
  /** Absent where it is not known. */
  readonly impact?: UpgradeImpact;
  /** Why it is not known. */
  readonly unknown?: string;
}

/** An operator that is installed, and gets another version or keeps the one that it has. */
interface Installed extends PlannedOperator {
  readonly from: string;
}

/** Operators that are there and get another version. Where there are none, nothing has to be read or rendered. */
export function upgradesIn(operators: readonly PlannedOperator[]): readonly Installed[] {
  return installedOf(operators).filter(({ from, plan }) => from !== plan.to);
}

/** Operators that are there already. */
export function installedOf(operators: readonly PlannedOperator[]): readonly Installed[] {
  return operators.flatMap((each) => (each.plan.from === undefined ? [] : [{ ...each, from: each.plan.from }]));
}

/** Asks the version of every operator what it would do to the stacks of the cluster. What cannot be asked is said, not thrown. */
export async function fleetImpact(
  environment: Environment,
  catalog: PreparedCatalog,
  operators: readonly Installed[],
  client: ReadClient,
): Promise<readonly OperatorImpact[]> {
  let cluster: LiveCluster | undefined;
  const impacts: OperatorImpact[] = [];
  // One after the other: each holds a process with much memory.
  for (const operator of operators) {
    const { major } = operator.operator;
    const { from, plan } = operator;
    try {
      const version = await readVersion(environment, catalog, operator);
      cluster ??= { client, objects: await readLiveObjects(client), capabilities: await readCapabilities(client) };
      impacts.push({ major, from, to: plan.to, impact: await upgradeImpact(cluster, { major, from, version }) });
    } catch (error) {
      impacts.push({ major, from, to: plan.to, unknown: messageOf(error) });
    }
  }
  return impacts;
}

/** `v1, 1.2.0 -> 1.3.1: 42 InferenceStacks: …`, and what is not known. */
export function describeOperatorImpact({ major, from, to, impact, unknown }: OperatorImpact): readonly string[] {
  const which = `Impact of v${String(major)}, ${from === to ? to : `${from} -> ${to}`}`;
  if (impact === undefined) return [`${which}: not known. ${unknown ?? ''}`];
  return [`${which}: ${describeImpact(impact)}.`, ...describeGaps(impact).map((gap) => `${which}: ${gap}`)];
}

import type { FleetGuardsArgs } from '../../components/guards/fleet-guards.ts';
import type { Writers } from '../../components/guards/writers.ts';
import type { LiveState } from '../cluster/live-state.ts';
import type { Settings } from '../config/schema.ts';

/** What the cluster is guarded by; undefined where the settings want no guards. */
export function guardsArgs(
  { guards, operators }: Pick<Settings, 'guards' | 'operators'>,
  live: Pick<LiveState, 'operators'>,
  writers: Writers | undefined,
): FleetGuardsArgs | undefined {
  if (guards === 'off') return undefined;
  // Stacks may ask for an operator that somebody else installed beside the fleet.
  const foreign = live.operators.filter(({ managed }) => !managed);
  const majors = new Set([...operators, ...foreign].map(({ major }) => major));
  return { majors: [...majors], action: guards, ...(writers === undefined ? {} : { writers }) };
}

import type { RolloutStrategy } from '../../../../packages/render/model.ts';
import { hasOldPods } from '../../../../packages/kube/pods/deployment-view.ts';
import type { LiveApplication } from '../live-application.ts';
import type { Choice } from './choice.ts';
import { requestsOf } from '../../../../packages/kube/pods/requests.ts';
import type { Amounts, Need } from './need.ts';

/** For each strategy, those that need less room, the best first. */
const SMALLER: Readonly<Record<RolloutStrategy, readonly RolloutStrategy[]>> = {
  surge: ['inPlace', 'recreate'],
  inPlace: ['recreate'],
  recreate: [],
};

export interface Rescue {
  /** The strategy to continue with. */
  readonly choice?: Choice;
  /** When to look again. */
  readonly afterMs?: number;
}

/**
 * A strategy for a rollout whose new pod has found no node for a while, or is refused by a quota: it waits for room that only the old pods
 * can make, and those wait for it. Nothing if it would not fit without the old pods either: those go on serving.
 */
export function rescueFor(
  application: LiveApplication,
  { strategy }: Choice,
  need: Need,
  { now, placeMs }: { readonly now: number; readonly placeMs: number },
): Rescue {
  const { live, pods, replicas } = application;
  if (live?.details === undefined || !hasOldPods(live.details)) return {};
  // It may wait for the room of pods that are about to go.
  if (pods.some(({ leaving, node }) => leaving && node !== undefined)) return {};
  const refused = refusedByQuota(application);
  const waiting = pods.filter((pod) => pod.unschedulableSince !== undefined && pod.waitsForRoom);
  const [longest] = waiting.toSorted((one, other) => (one.unschedulableSince ?? 0) - (other.unschedulableSince ?? 0));
  const blocked = refused ?? (longest && { since: longest.unschedulableSince ?? 0, asks: need.besidesGpus(longest) });
  if (blocked === undefined) return {};
  const { since, asks } = blocked;
  const left = since + placeMs - now;
  if (left > 0) return { afterMs: left };
  const way = SMALLER[strategy].find((smaller) =>
    smaller === 'inPlace' ? replicas > 1 && need.fitsWithout('one', asks) : need.fitsWithout('all', asks),
  );
  if (way === undefined) return {};
  const end = way === 'inPlace' ? 'the old pods end one at a time' : 'the old pods end';
  const what = refused === undefined ? 'found no node' : 'was refused by a quota';
  const reason = `A new pod ${what} for ${Math.round(placeMs / 1000)} seconds beside the old ones, so ${end} before it starts.`;
  return { choice: { strategy: way, reason } };
}

/** A quota counts everything that a new pod asks for, its GPUs too: an old one must have had as much. */
function refusedByQuota({ live, template }: LiveApplication): { since: number; asks: Amounts } | undefined {
  const since = live?.details?.overQuotaSince;
  return since === undefined ? undefined : { since, asks: requestsOf(template.spec, () => true) };
}

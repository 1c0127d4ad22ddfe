import type { RolloutStrategy } from '../../render/model.ts';
import { hasOldPods } from '../deployment-view.ts';
import type { LiveApplication } from '../live-application.ts';
import type { Choice } from './choice.ts';
import type { Need } from './need.ts';

/** Ways that need less room than another one, the best first. */
const SMALLER: Readonly<Record<RolloutStrategy, readonly RolloutStrategy[]>> = {
  surge: ['inPlace', 'recreate'],
  inPlace: ['recreate'],
  recreate: [],
};

export interface Rescue {
  /** The way to go on in. */
  readonly choice?: Choice;
  /** When to look again. */
  readonly afterMs?: number;
}

/**
 * A way for a rollout to go on whose new pod has found no node for a while: it waits for room that only the old pods can make, and those
 * wait for it. Nothing where it would not fit without the old pods either: they serve, and go on serving.
 */
export function rescueFor(
  application: LiveApplication,
  { strategy }: Choice,
  need: Need,
  { now, placeMs }: { readonly now: number; readonly placeMs: number },
): Rescue {
  const { live, pods, replicas } = application;
  if (live?.details === undefined || !hasOldPods(live.details)) return {};
  // What it waits for may be the room of pods that are about to go.
  if (pods.some(({ leaving, node }) => leaving && node !== undefined)) return {};
  const waiting = pods.filter(({ unschedulableSince }) => unschedulableSince !== undefined);
  const [longest] = waiting.toSorted((one, other) => (one.unschedulableSince ?? 0) - (other.unschedulableSince ?? 0));
  if (longest === undefined) return {};
  const left = (longest.unschedulableSince ?? 0) + placeMs - now;
  if (left > 0) return { afterMs: left };
  const way = SMALLER[strategy].find((smaller) =>
    smaller === 'inPlace' ? replicas > 1 && need.fitsWithout('one', longest) : need.fitsWithout('all', longest),
  );
  if (way === undefined) return {};
  const end = way === 'inPlace' ? 'one old pod after the other ends' : 'the old pods end';
  const reason = `A new pod found no node for ${Math.round(placeMs / 1000)} seconds beside the old ones, so ${end} before it starts.`;
  return { choice: { strategy: way, reason } };
}

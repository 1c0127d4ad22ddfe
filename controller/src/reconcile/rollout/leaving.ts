import type { PodView } from '../pod-view.ts';

/** A moment, and for how long something is waited for. */
export interface Waiting {
  readonly now: number;
  readonly placeMs: number;
}

/** Pods that were told to end, and still hold what they have on their nodes. */
export function leavingPods(pods: readonly PodView[]): PodView[] {
  return pods.filter(({ leaving, node }) => leaving && node !== undefined);
}

/**
 * For how long to wait for the end of pods that were told to end, in milliseconds: not at all once all of them are so late that they may never
 * end. That is how pods look whose node is gone, or does not answer.
 */
export function waitForEnd(pods: readonly PodView[], { now, placeMs }: Waiting): number {
  return Math.max(0, ...leavingPods(pods).map(({ endsBy = Infinity }) => endsBy + placeMs - now));
}

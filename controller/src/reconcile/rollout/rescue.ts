import { hasOldPods, type DeploymentView } from '../../../../packages/kube/pods/deployment-view.ts';
import type { RolloutStrategy } from '../../../../packages/render/model.ts';
import type { LiveApplication } from '../live-application.ts';
import type { Choice } from './choice.ts';
import { requestsOf } from '../../../../packages/kube/pods/requests.ts';
import { leavingPods, waitForEnd, type Waiting } from './leaving.ts';
import type { Amounts, Need } from './need.ts';

/** For each strategy, those that need less room, the best first. `recreate` needs all old pods to end, which one that is stuck does not. */
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
  waiting: Waiting & { readonly isExclusive: boolean },
): Rescue {
  const { live } = application;
  if (live?.details === undefined) return {};
  if (strategy === 'recreate') return waiting.isExclusive ? {} : withoutWaiting(application, live.details, waiting);
  return hasOldPods(live.details) ? withLessRoom(application, strategy, need, waiting) : {};
}

/** Where the old pods end first, Kubernetes starts no new one before the last of them has ended, which one may never do. */
function withoutWaiting(
  { pods, replicas }: LiveApplication,
  { totalReplicas }: DeploymentView,
  waiting: Waiting,
): Rescue {
  if (replicas === 0 || totalReplicas > 0 || leavingPods(pods).length === 0) return {};
  const left = waitForEnd(pods, waiting);
  if (left > 0) return lookAgain(left);
  const late = `An old pod has not ended ${seconds(waiting)} seconds after it had to`;
  return { choice: { strategy: 'inPlace', reason: `${late}, so the new one starts without waiting for it.` } };
}

function withLessRoom(
  application: LiveApplication,
  strategy: RolloutStrategy,
  need: Need,
  { now, placeMs }: Waiting,
): Rescue {
  const { pods, replicas } = application;
  const refused = refusedByQuota(application);
  const waiting = pods.filter((pod) => pod.unschedulableSince !== undefined && pod.waitsForRoom);
  const [longest] = waiting.toSorted((one, other) => (one.unschedulableSince ?? 0) - (other.unschedulableSince ?? 0));
  const blocked = refused ?? (longest && { since: longest.unschedulableSince ?? 0, asks: need.besidesGpus(longest) });
  if (blocked === undefined) return {};
  const { since, asks } = blocked;
  // It may wait for the room of pods that are about to go.
  const left = Math.max(since + placeMs - now, waitForEnd(pods, { now, placeMs }));
  if (left > 0) return lookAgain(left);
  const neverEnds = leavingPods(pods).length > 0;
  const way = SMALLER[strategy].find((smaller) =>
    smaller === 'inPlace'
      ? (replicas > 1 || neverEnds) && need.fitsWithout('one', asks)
      : !neverEnds && need.fitsWithout('all', asks),
  );
  if (way === undefined) return {};
  const end = way === 'inPlace' ? 'the old pods end one at a time' : 'the old pods end';
  const what = refused === undefined ? 'found no node' : 'was refused by a quota';
  const reason = `A new pod ${what} for ${seconds({ placeMs })} seconds beside the old ones, so ${end} before it starts.`;
  return { choice: { strategy: way, reason } };
}

function seconds({ placeMs }: Pick<Waiting, 'placeMs'>): number {
  return Math.round(placeMs / 1000);
}

/** Where nobody knows when, the end of the pods is seen. */
function lookAgain(afterMs: number): Rescue {
  return Number.isFinite(afterMs) ? { afterMs } : {};
}

/** A quota counts everything that a new pod asks for, its GPUs too: an old one must have had as much. */
function refusedByQuota({ live, template }: LiveApplication): { since: number; asks: Amounts } | undefined {
  const since = live?.details?.overQuotaSince;
  return since === undefined ? undefined : { since, asks: requestsOf(template.spec, () => true) };
}

import type { PodQuestion } from '../../packages/kube/pods/pod-question.ts';
import type { PodStatus } from '../../packages/kube/pods/pod-problem.ts';
import type { requestsOf } from '../../packages/kube/pods/requests.ts';
import type { KubernetesObject } from '../../packages/kube/object.ts';

/** What keeps something from becoming ready, as far as a look at it tells. */
export interface Symptom {
  /** Names the trouble. It is the same at every look for as long as the trouble is the same. */
  readonly id: string;
  /** What it is about, e.g. `Deployment olmv1-system/catalogd-controller-manager`. */
  readonly object: string;
  /** What is known without asking further; undefined if only the answer to the question says it. */
  readonly message?: string;
  readonly remedy?: string;
  /** A question whose answer says more. It is asked only when the trouble is reported, since it costs more than a look. */
  readonly question?: Question;
  /** How long the trouble has to last before it is reported. */
  readonly patienceMs: number;
}

export type Question =
  | { readonly about: 'nodes'; readonly pod: Pod }
  | { readonly about: 'log'; readonly pod: Pod; readonly container: string; readonly previous: boolean }
  | { readonly about: 'events'; readonly pod: PodQuestion }
  | { readonly about: 'pull'; readonly pod: Pod; readonly image: string };

export interface Pod extends KubernetesObject {
  readonly spec?: NonNullable<Parameters<typeof requestsOf>[0]> | undefined;
  readonly status?: PodStatus | undefined;
}

/** Trouble that lasts this long rarely goes away by itself: no node, no image, a crash, a refusal. */
export const LASTING_MS = 20_000;

/** Slow disks and slow starts recover by themselves, but take longer. */
export const SLOW_MS = 40_000;

/** The text without what differs at every try: ports, times, generated names. */
export function steady(text: string): string {
  return text.replace(/[a-z0-9]*\d[a-z0-9]*/gi, '#').replace(/-[a-z0-9]{5}(?=")/g, '-#');
}

import type { EffectiveOpen } from '../effective.ts';
import { aliasesOf } from '../engines/aliases.ts';

/** An application that the gateway sends requests to. */
export interface Upstream {
  readonly name: string;
  /** Name of its Service. */
  readonly service: string;
  readonly application: EffectiveOpen;
}

/** The applications that share the requests for an alias. */
export interface Pool<Member extends Pick<Upstream, 'name' | 'application'> = Upstream> {
  readonly alias: string;
  readonly members: readonly Member[];
}

/** The pools of a stack, in the order of their aliases. */
export function poolsOf<Member extends Pick<Upstream, 'name' | 'application'>>(
  upstreams: readonly Member[],
): Pool<Member>[] {
  const found = new Map<string, Member[]>();
  for (const upstream of upstreams) {
    for (const alias of aliasesOf(upstream.name, upstream.application)) {
      const members = found.get(alias);
      if (members === undefined) found.set(alias, [upstream]);
      else members.push(upstream);
    }
  }
  return [...found]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([alias, members]): Pool<Member> => ({ alias, members }));
}

/** The weight that counts: no pods, no answers. */
export function weightOf({ application }: Pick<Upstream, 'application'>): number {
  return hasPods(application) ? application.weight : 0;
}

/** Whether an application is meant to have pods. KEDA may have taken them all away just now. */
export function hasPods({ suspend, replicaCount, scaling }: EffectiveOpen): boolean {
  return !suspend && (scaling.enabled || replicaCount > 0);
}

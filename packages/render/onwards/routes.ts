import type { EffectiveOpen } from '../effective.ts';
import { aliasesOf, upstreamModel } from '../engines/aliases.ts';
import { definedOnly, setOwn } from '../../lib/values.ts';
import type { OpenObject } from '../../lib/json.ts';
import { placesOf } from './shares.ts';

/** An application that the gateway sends requests to. */
export interface Upstream {
  readonly name: string;
  /** Name of its Service. */
  readonly service: string;
  readonly application: EffectiveOpen;
}

/**
 * An engine may have closed a connection that waited for its next request: most do so after five seconds. Onwards, which would keep it
 * for ninety, has to give it up first.
 */
const IDLE_SECONDS = 4;

/**
 * A request whose pod has just left is tried again, as long as nothing of an answer has reached the client. An engine that fails by
 * itself, with 500, would fail again.
 */
const FALLBACK = {
  enabled: true,
  on_status: [502, 503, 504],
  max_attempts: 4,
  backoff: { initial_ms: 50, max_ms: 1000, factor: 2, jitter: 'full' },
} as const;

/** The gateway's table: where requests for each alias go. */
export function routes(upstreams: readonly Upstream[]): string {
  const targets: OpenObject = {};
  for (const [alias, members] of byAlias(upstreams)) {
    const providers = providersOf(members);
    if (providers.length > 0) setOwn(targets, alias, { strategy: 'weighted_random', fallback: FALLBACK, providers });
  }
  return `${JSON.stringify({ http_pool: { idle_timeout_secs: IDLE_SECONDS }, targets }, undefined, 1)}\n`;
}

function byAlias(upstreams: readonly Upstream[]): ReadonlyMap<string, readonly Upstream[]> {
  const found = new Map<string, Upstream[]>();
  for (const upstream of upstreams) {
    for (const alias of aliasesOf(upstream.name, upstream.application)) {
      found.set(alias, [...(found.get(alias) ?? []), upstream]);
    }
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function providersOf(members: readonly Upstream[]): OpenObject[] {
  // No pods, no answers.
  const places = placesOf(members.map(({ application }) => (application.suspend ? 0 : application.weight)));
  return members.flatMap((member, index) =>
    Array.from({ length: places[index] ?? 0 }, (_, place) => provider(member, place)),
  );
}

/** Places differ by the fragment of their address, which no request carries: Onwards counts the requests of equal ones together. */
function provider({ name, service, application }: Upstream, place: number): OpenObject {
  return definedOnly({
    url: `http://${service}/#${String(place)}`,
    onwards_model: upstreamModel(name, application),
  });
}

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
 * A connection for each request. A Service chooses a pod for each connection, so over connections that stay, pods that come would get no
 * requests while there is load, and pods that leave would get them to their end. And engines close idle connections just as requests come.
 */
const HTTP_POOL = { max_idle_per_host: 0 };

/**
 * An engine that restarts within a second, or a pod that has just left, loses no request: it is tried again for two seconds at least, as
 * long as nothing of an answer has reached the client. Without jitter, which would shorten that by chance.
 */
const LEAST_ATTEMPTS = 16;
const PATIENCE_MS = 2700;

/** The gateway's table: where requests for each alias go. */
export function routes(upstreams: readonly Upstream[]): string {
  const targets: OpenObject = {};
  for (const [alias, members] of byAlias(upstreams)) {
    const providers = providersOf(members);
    const fallback = fallbackOf(providers.length);
    if (providers.length > 0) setOwn(targets, alias, { strategy: 'weighted_random', fallback, providers });
  }
  return `${JSON.stringify({ http_pool: HTTP_POOL, targets }, undefined, 1)}\n`;
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

/**
 * Each attempt goes to another place, and first to those that are least busy, as the places of an application that is down always are.
 * So there is an attempt for every place: requests are answered as long as one application is there.
 */
function fallbackOf(places: number): OpenObject {
  const attempts = Math.max(LEAST_ATTEMPTS, places);
  return {
    enabled: true,
    // Not 500 and 504: a request that fails by itself, or takes too long, would do so again.
    on_status: [502, 503],
    max_attempts: attempts,
    backoff: { initial_ms: 10, max_ms: Math.ceil(PATIENCE_MS / attempts), factor: 2, jitter: 'none' },
  };
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

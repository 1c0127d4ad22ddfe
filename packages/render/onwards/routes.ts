import { upstreamModel } from '../engines/aliases.ts';
import { definedOnly } from '../../lib/values.ts';
import { poolsOf, weightOf, type Pool, type Upstream } from './pools.ts';
import { MOST_PLACES, placesOf } from './shares.ts';

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

/** Enough for all weights that are percentages. */
const MOST_ATTEMPTS = 100;

/** The most bytes of a table: a ConfigMap holds 1 MiB, its metadata included. */
const TABLE_BYTES = 1_000_000;

/** The most places of a pool, from the most exact: a table takes the first with which it fits. */
const PRECISIONS = [MOST_PLACES, 500, 100, 50, 20, 10, 5, 2, 1] as const;

/** The gateway's table: where requests for each alias go. A line for each place, since people read it, too. */
export function routes(upstreams: readonly Upstream[]): string {
  // Once for each application, which may be in the pools of many aliases.
  const members = new Map(upstreams.map((upstream) => [upstream, memberOf(upstream)]));
  const targets = poolsOf(upstreams).flatMap((pool) => targetOf(pool, members));
  const precision = PRECISIONS.find((most) => fits(targets, most)) ?? 1;
  const entries = targets.map((target) => {
    const places = placeLines(target, precision);
    return target.head + poolStart(places.length) + places.join(',') + POOL_END;
  });
  return `${TABLE_START}${entries.join(',')}\n}}\n`;
}

const TABLE_START = `{"http_pool":${JSON.stringify(HTTP_POOL)},"targets":{`;
const POOL_END = '\n ]}';

/**
 * Each attempt goes to another place, and first to those that are least busy, as the places of an application that is down always are.
 * So there is an attempt for every place: requests are answered as long as one application is there. Neither 500 nor 504 is tried again: a
 * request that fails by itself, or takes too long, would do so each time.
 */
function poolStart(places: number): string {
  const attempts = Math.min(Math.max(LEAST_ATTEMPTS, places), MOST_ATTEMPTS);
  const longest = Math.ceil(PATIENCE_MS / attempts);
  const backoff = `{"initial_ms":10,"max_ms":${String(longest)},"factor":2,"jitter":"none"}`;
  const fallback = `{"enabled":true,"on_status":[502,503],"max_attempts":${String(attempts)},"backoff":${backoff}}`;
  return `{"strategy":"weighted_random","fallback":${fallback},"providers":[`;
}

/** A pool that somebody answers for, as far as it is written whatever its places are. */
interface Target {
  readonly head: string;
  readonly weights: readonly number[];
  readonly members: readonly Member[];
}

/** What is written before and after the number of each place. */
interface Member {
  readonly before: string;
  readonly after: string;
  /** The most bytes of a place, with the comma behind it. */
  readonly bytes: number;
}

function targetOf({ alias, members }: Pool, written: ReadonlyMap<Upstream, Member>): Target[] {
  const weights = members.map(weightOf);
  if (weights.every((weight) => weight === 0)) return [];
  const head = `\n ${JSON.stringify(alias)}:`;
  return [{ head, weights, members: members.flatMap((member) => written.get(member) ?? []) }];
}

/** Places differ by the fragment of their address, which no request carries: Onwards counts the requests of equal ones together. */
function memberOf({ name, service, application }: Upstream): Member {
  const model = definedOnly({ onwards_model: upstreamModel(name, application) });
  const fields = JSON.stringify(model).slice(1);
  const before = `\n  {"url":"http://${service}/#`;
  const after = fields === '}' ? '"}' : `",${fields}`;
  return { before, after, bytes: Buffer.byteLength(before) + DIGITS + Buffer.byteLength(after) + 1 };
}

function placeLines({ weights, members }: Target, precision: number): string[] {
  const places = placesOf(weights, precision);
  return members.flatMap(({ before, after }, index) =>
    Array.from({ length: places[index] ?? 0 }, (_, place) => `${before}${String(place)}${after}`),
  );
}

/** Whether the table fits, without writing it: it may be hundreds of times too large. */
function fits(targets: readonly Target[], precision: number): boolean {
  let bytes = TABLE_START.length;
  for (const { head, weights, members } of targets) {
    let places = 0;
    placesOf(weights, precision).forEach((count, index) => {
      bytes += count * (members[index]?.bytes ?? 0);
      places += count;
    });
    bytes += Buffer.byteLength(head) + poolStart(places).length + POOL_END.length + 1;
    if (bytes > TABLE_BYTES) return false;
  }
  return true;
}

/** Digits of the number of a place. */
const DIGITS = String(MOST_PLACES).length;

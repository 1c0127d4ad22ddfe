import { upstreamModel } from '../engines/aliases.ts';
import { definedOnly } from '../../lib/values.ts';
import { poolsOf, weightOf, type Pool, type Upstream } from './pools.ts';
import { MOST_PLACES, placesOf } from './shares.ts';

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

/** The most bytes of a table: a ConfigMap holds 1 MiB, its metadata included. */
const TABLE_BYTES = 1_000_000;

/** The most places of a pool, from the most exact: a table takes the first with which it fits. */
const PRECISIONS = [MOST_PLACES, 500, 100, 50, 20, 10, 5, 2, 1] as const;

/** The gateway's table: where requests for each alias go. A line for each place, since people read it, too. */
export function routes(upstreams: readonly Upstream[]): string {
  const targets = poolsOf(upstreams).flatMap(targetOf);
  const precision = PRECISIONS.find((most) => bytesOf(targets, most) <= TABLE_BYTES) ?? 1;
  const entries = targets.map((target) => target.head + placeLines(target, precision).join(',') + POOL_END);
  return `${TABLE_START}${entries.join(',')}\n}}\n`;
}

const TABLE_START = `{"http_pool":${JSON.stringify({ idle_timeout_secs: IDLE_SECONDS })},"targets":{`;
const POOL_START = `{"strategy":"weighted_random","fallback":${JSON.stringify(FALLBACK)},"providers":[`;
const POOL_END = '\n ]}';

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
}

function targetOf({ alias, members }: Pool): Target[] {
  const weights = members.map(weightOf);
  if (weights.every((weight) => weight === 0)) return [];
  return [{ head: `\n ${JSON.stringify(alias)}:${POOL_START}`, weights, members: members.map(memberOf) }];
}

/** Places differ by the fragment of their address, which no request carries: Onwards counts the requests of equal ones together. */
function memberOf({ name, service, application }: Upstream): Member {
  const model = definedOnly({ onwards_model: upstreamModel(name, application) });
  const fields = JSON.stringify(model).slice(1);
  return { before: `\n  {"url":"http://${service}/#`, after: fields === '}' ? '"}' : `",${fields}` };
}

function placeLines({ weights, members }: Target, precision: number): string[] {
  const places = placesOf(weights, precision);
  return members.flatMap(({ before, after }, index) =>
    Array.from({ length: places[index] ?? 0 }, (_, place) => `${before}${String(place)}${after}`),
  );
}

/** At least as many bytes as the table will have, without writing it: it may be hundreds of times too large. */
function bytesOf(targets: readonly Target[], precision: number): number {
  let bytes = TABLE_START.length;
  for (const { head, weights, members } of targets) {
    bytes += Buffer.byteLength(head) + POOL_END.length + 1;
    placesOf(weights, precision).forEach((count, index) => {
      const { before = '', after = '' } = members[index] ?? {};
      bytes += count * (Buffer.byteLength(before) + Buffer.byteLength(after) + DIGITS + 1);
    });
  }
  return bytes;
}

/** Digits of the number of a place. */
const DIGITS = String(MOST_PLACES).length;

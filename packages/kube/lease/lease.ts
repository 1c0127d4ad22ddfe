import { isConflict, isNotFound } from '../client/api-error.ts';
import type { Client } from '../client/client.ts';
import { LeaseWatch, LEASES, type Lease } from './lease-watch.ts';
import { silentLogger, type Logger } from '../process/log.ts';
import { pause } from '../../lib/pause.ts';

export interface LeaseTimes {
  /** How long others wait after the last renewal before they take over. */
  readonly leaseMs: number;
  /** How long the holder goes on without a successful renewal; less than `leaseMs`, so that two never work at once. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

/** client-go's. */
export const DEFAULT_LEASE_TIMES: LeaseTimes = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** The time for which a process holds the Lease. */
export interface Term {
  /** Finish what is under way, and begin nothing new. */
  readonly stop: AbortSignal;
  /** Abort everything: the Lease is about to be somebody else's. Aborted before the Lease can expire. */
  readonly lost: AbortSignal;
  /**
   * For the work of the term: its requests are aborted when the term ends. After a process was held up, answers arrive before any timer
   * can end the term, so the deadline is also checked before each request.
   */
  readonly client: Client;
}

export interface ElectionOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly times?: LeaseTimes;
  /** Works while this process holds the Lease, until `stop` is aborted. */
  readonly lead: (term: Term) => Promise<void>;
  /** Called for what is seen while waiting: the holder's identity, `''` for none, nothing for a missing Lease. */
  readonly onHolder?: (holder: string | undefined) => void;
  readonly logger?: Logger;
}

/**
 * Takes part in the election until the signal is aborted: waits for the Lease, works while it holds it, gives it back at
 * the end. After a loss it waits again, once all work of its term has ended.
 */
export async function runElection(options: ElectionOptions, signal: AbortSignal): Promise<void> {
  const { times = DEFAULT_LEASE_TIMES, logger = silentLogger, identity } = options;
  // A Lease that nobody was ever seen to hold is taken at once: it is new, as on the day of installation.
  const watch = new LeaseWatch({ client: options.client, presumedMs: 0 });
  while (!signal.aborted) {
    const held = await tryAcquire(options, watch);
    // After an answer that took so long, the Lease may be somebody else's by now.
    if (held === undefined || timeLeft(held, times) <= 0) {
      await pause(times.retryMs, signal);
      continue;
    }
    logger.info('This process holds the Lease and starts to work.', { lease: options.name, identity });
    const lost = new AbortController();
    const done = new AbortController();
    let latest = held;
    const client = options.client.until(lost.signal, () => {
      if (timeLeft(latest, times) <= 0) lost.abort();
    });
    const work = options
      .lead({ stop: AbortSignal.any([signal, lost.signal]), lost: lost.signal, client })
      .catch((error: unknown) => logger.error('Work under the Lease ended with an error.', { error }))
      .finally(() => done.abort());
    // Work that is winding down is still work: the Lease is renewed until the last of it has ended.
    const last = await keepRenewing(options, held, (renewed) => (latest = renewed), done.signal);
    if (last === undefined) lost.abort();
    await work;
    if (last !== undefined) await release(options, last);
    logger.info('This process no longer holds the Lease.', { lease: options.name, identity });
    await pause(times.retryMs, signal);
  }
}

/** A Lease that is ours, and when we asked for it: others count from a later moment. */
interface Held {
  readonly lease: Lease;
  readonly since: number;
}

function timeLeft({ since }: Held, { renewDeadlineMs }: LeaseTimes): number {
  return since + renewDeadlineMs - performance.now();
}

async function tryAcquire(options: ElectionOptions, watch: LeaseWatch): Promise<Held | undefined> {
  const { times = DEFAULT_LEASE_TIMES, identity, namespace, name, onHolder, logger = silentLogger } = options;
  try {
    const { lease, free } = await watch.observe({ namespace, name });
    const holder = lease?.spec?.holderIdentity ?? '';
    onHolder?.(lease === undefined ? undefined : holder);
    if (lease === undefined) logger.warn('There is no Lease to take.', { lease: name });
    if (lease === undefined || (holder !== identity && !free)) return undefined;
    const now = new Date().toISOString().replace('Z', '000Z');
    const taken: Lease = {
      ...lease,
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(times.leaseMs / 1000),
        acquireTime: now,
        renewTime: now,
        leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + (holder === identity ? 0 : 1),
      },
    };
    const since = performance.now();
    const held = (await options.client.update(LEASES, taken)) as Lease;
    onHolder?.(identity);
    return { lease: held, since };
  } catch (error) {
    if (isNotFound(error)) onHolder?.(undefined);
    // A conflict means that somebody else was faster.
    if (!isConflict(error)) logger.warn('The Lease could not be taken.', { lease: name, error });
    return undefined;
  }
}

/** Renews until the signal is aborted or the deadline passes; the Lease as last written, if it is still ours. */
async function keepRenewing(
  options: ElectionOptions,
  acquired: Held,
  onRenewed: (held: Held) => void,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const { times = DEFAULT_LEASE_TIMES, logger = silentLogger, name } = options;
  let held = acquired;
  while (await pause(Math.min(times.retryMs, Math.max(0, timeLeft(held, times))), signal)) {
    try {
      held = await renew(options, held);
      onRenewed(held);
    } catch (error) {
      if (isConflict(error) || isNotFound(error) || timeLeft(held, times) <= 0) {
        logger.error('The Lease was lost, so all work stops.', { lease: name, error });
        return undefined;
      }
      logger.warn('The Lease could not be renewed and will be retried.', { lease: name, error });
    }
  }
  return held.lease;
}

/** How many attempts fit before the deadline: one connection that died must not cost the Lease. */
const ATTEMPTS = 3;

async function renew(options: ElectionOptions, held: Held): Promise<Held> {
  const { times = DEFAULT_LEASE_TIMES } = options;
  const left = Math.min(timeLeft(held, times), times.renewDeadlineMs / ATTEMPTS);
  if (left <= 0) throw new Error('no renewal succeeded before the deadline');
  const client = options.client.until(AbortSignal.timeout(Math.ceil(left)));
  const since = performance.now();
  try {
    return { lease: await prolong(client, held.lease), since };
  } catch (error) {
    if (!isConflict(error)) throw error;
    // An attempt that was aborted may have reached the API server all the same.
    const lease = (await client.get(LEASES, held.lease.metadata)) as Lease;
    if (lease.spec?.holderIdentity !== options.identity) throw error;
    return { lease: await prolong(client, lease), since };
  }
}

async function prolong(client: Client, lease: Lease): Promise<Lease> {
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  return client.update(LEASES, { ...lease, spec: { ...lease.spec, renewTime } });
}

async function release(options: ElectionOptions, lease: Lease): Promise<void> {
  try {
    // One second, so that others need not wait longer.
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 };
    await options.client.update(LEASES, { ...lease, spec });
  } catch (error) {
    options.logger?.warn('The Lease could not be given back and will run out.', { lease: options.name, error });
  }
}

import { setTimeout } from 'node:timers/promises';
import { isConflict, isNotFound } from './api-error.ts';
import type { Client } from './client.ts';
import { LeaseWatch, LEASES, type Lease } from './lease-watch.ts';
import { silentLogger, type Logger } from './log.ts';
import { pause } from './pause.ts';

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
  /** Break everything off: the Lease is about to be somebody else's. Aborted before it can expire. */
  readonly lost: AbortSignal;
}

export interface ElectionOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly times?: LeaseTimes;
  /** Works while this process holds the Lease, until it is told to stop. */
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
  const watch = new LeaseWatch(options.client, options.namespace);
  while (!signal.aborted) {
    const held = await tryAcquire(options, watch);
    if (held === undefined) {
      await pause(times.retryMs, signal);
      continue;
    }
    logger.info('This process holds the Lease and works.', { lease: options.name, identity });
    const lost = new AbortController();
    const done = new AbortController();
    const work = options
      .lead({ stop: AbortSignal.any([signal, lost.signal]), lost: lost.signal })
      .catch((error: unknown) => logger.error('Work under the Lease ended with an error.', { error }))
      .finally(() => done.abort());
    // Work that is winding down is still work: the Lease is renewed until the last of it has ended.
    const last = await keepRenewing(options, held, done.signal);
    if (last === undefined) lost.abort();
    await work;
    if (last !== undefined) await release(options, last);
    logger.info('This process no longer holds the Lease.', { lease: options.name, identity });
    await pause(times.retryMs, signal);
  }
}

async function tryAcquire(options: ElectionOptions, watch: LeaseWatch): Promise<Lease | undefined> {
  const { times = DEFAULT_LEASE_TIMES, identity, name, onHolder, logger = silentLogger } = options;
  try {
    const { lease, expired } = await watch.observe(name);
    const holder = lease.spec?.holderIdentity ?? '';
    onHolder?.(holder);
    if (holder !== '' && holder !== identity && !expired) return undefined;
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
    const held = (await options.client.update(LEASES, taken)) as Lease;
    onHolder?.(identity);
    return held;
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
  acquired: Lease,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const { times = DEFAULT_LEASE_TIMES, logger = silentLogger } = options;
  let lease = acquired;
  let renewedAt = performance.now();
  while (await pause(times.retryMs, signal)) {
    const started = performance.now();
    try {
      const left = renewedAt + times.renewDeadlineMs - started;
      lease = await within(left, renew(options, lease));
      // Others count from the moment at which they see the renewal, which is after this.
      renewedAt = started;
    } catch (error) {
      const over = performance.now() >= renewedAt + times.renewDeadlineMs;
      if (isConflict(error) || isNotFound(error) || over) {
        logger.error('The Lease was lost, so all work stops.', { lease: options.name, error });
        return undefined;
      }
      logger.warn('The Lease could not be renewed and is tried again.', { lease: options.name, error });
    }
  }
  return lease;
}

async function renew(options: ElectionOptions, lease: Lease): Promise<Lease> {
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  return options.client.update(LEASES, { ...lease, spec: { ...lease.spec, renewTime } });
}

async function release(options: ElectionOptions, lease: Lease): Promise<void> {
  try {
    // One second, so that whoever waits need not wait longer.
    const spec = { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1 };
    await options.client.update(LEASES, { ...lease, spec });
  } catch (error) {
    options.logger?.warn('The Lease could not be given back and will run out.', { lease: options.name, error });
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const timeout = setTimeout(Math.max(0, ms), undefined, { signal: timer.signal }).then(() => {
    throw new Error('no answer before the deadline');
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timer.abort();
    timeout.catch(() => undefined);
  }
}

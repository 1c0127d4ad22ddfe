import type { InferenceStack } from '../../../packages/api/types.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { EventRecorder } from '../../../packages/kube/events.ts';
import type { Term } from '../../../packages/kube/lease/lease.ts';
import { LeaseWatch } from '../../../packages/kube/lease/lease-watch.ts';
import { objectKey, type KubernetesObject } from '../../../packages/kube/object.ts';
import { PodEvents } from '../../../packages/kube/pods/pod-events.ts';
import type { ReconcileOutcome, RuntimeMetrics } from '../../../packages/kube/process/metrics.ts';
import { Echoes } from '../../../packages/kube/queue/echoes.ts';
import { Queue, runWorkers } from '../../../packages/kube/queue/queue.ts';
import { unlessAborted } from '../../../packages/lib/pause.ts';
import type { Rival, Self } from './claim.ts';
import { ClusterView, THE_STACK, type ClusterViewOptions } from './cluster-view.ts';
import { IngressClasses } from './ingress-classes.ts';
import { Interests } from './interests.ts';
import { reconcile, type ReconcileResult } from './reconciler.ts';
import { ClaimModes } from './rollout/claim-modes.ts';
import { DEFAULT_PATIENCE, type Patience } from './rollout/patience.ts';
import { stackApplier } from './stack-applier.ts';
import { namespaceOf, stackKey } from './stack-view.ts';
import type { World } from './state.ts';

export interface OperatorOptions extends ClusterViewOptions {
  readonly self: Self;
  /** How long a Lease lasts without being renewed. */
  readonly leaseMs: number;
  /** Called after each look at a stack, with the operator that keeps us from it, if there is one. */
  readonly onRival?: ((stack: string, rival: Rival | undefined) => void) | undefined;
  readonly events: EventRecorder;
  readonly metrics: RuntimeMetrics;
  readonly workers?: number | undefined;
  readonly patience?: Patience | undefined;
}

/**
 * The wait after work that failed but made progress, so that the next try has less to do. It need not grow, because a stack has only
 * so many objects. If such failures counted, passing ones would add up to a minute for a stack of many objects.
 */
const PROGRESS_BACKOFF = { baseMs: 100, maxMs: 100 };

/** The API server will most likely refuse again what it has refused, and others must not wait for that. */
const REFUSAL_BACKOFF = { baseMs: 5_000, maxMs: 300_000 };

/** This many tries without progress take about five seconds. */
const LASTING_FAILURES = 10;

/** The share of the workers that one namespace may have. The rest is for all others, whatever it does. */
const TENANT_SHARE = 0.75;

/** The share of the workers that may write for heavy stacks at a time: these keep the API server busy, which serves all others too. */
const HEAVY_SHARE = 0.125;

/** Thousands of stacks may wait for one operator to let go: they look at its Lease together. */
const SHARED_LOOK_MS = 1_000;

const CONTROLLER = 'inferencestack';

/** A process that has only just listed the stacks need not list them twice when it starts to lead. */
const OLD_MS = 5_000;

/**
 * Works on stacks while it leads, and sees the cluster all the time. docs/concepts/controller.md
 * follows an event from the API server to a status.
 */
export class Operator {
  readonly #options: OperatorOptions;
  readonly #view: ClusterView;
  readonly #interests: Interests;
  readonly #echoes = new Echoes();
  #ledBefore = false;
  #queue: Queue | undefined;

  constructor(options: OperatorOptions) {
    this.#options = options;
    this.#interests = new Interests(options.patience ?? DEFAULT_PATIENCE);
    this.#view = new ClusterView(options, {
      onStack: (key, object, version) => this.#enqueue(key, object, version),
      onWritten: (key, object, version) => this.#echoes.wrote(key, object, version),
      onDevices: (resources, by, whom) => this.#wake(resources, by, whom),
      onPlatform: () => this.#enqueueAll(),
    });
  }

  /** What is seen of the cluster. */
  get view(): Pick<ClusterView, 'notReady' | 'missingKinds' | 'stalest'> {
    return this.#view;
  }

  get idle(): boolean {
    return this.#queue?.idle ?? true;
  }

  /** Sees the cluster until the signal is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    await this.#view.watch(signal);
  }

  /** Reconciles until stopped; returns when the last write has ended or was aborted. */
  async lead({ stop, lost, client }: Term): Promise<void> {
    await unlessAborted(stop, () => this.#current());
    if (stop.aborted) return;
    const workers = this.#options.workers ?? 16;
    const sharing = {
      tenantOf: namespaceOf,
      most: Math.ceil(workers * TENANT_SHARE),
      isHeavy: (key: string) => this.#view.find(key)?.stored.heavy === true,
      mostHeavy: Math.ceil(workers * HEAVY_SHARE),
    };
    const queue = new Queue({ observer: this.#options.metrics.queueObserver(CONTROLLER), sharing });
    this.#queue = queue;
    stop.addEventListener('abort', () => queue.shutDown(), { once: true });
    this.#view.devices.forgetReservations();
    this.#enqueueAll();
    const world = this.#world(client);
    await runWorkers(queue, workers, (key) => this.#work(key, queue, world, lost));
    this.#queue = undefined;
  }

  /**
   * Resolves when everything is known, and the stacks were listed recently. Whoever held the Lease meanwhile may have
   * handed some of them over, and a watch whose connection died silently would not have shown it.
   */
  async #current(): Promise<void> {
    const again = this.#ledBefore;
    this.#ledBefore = true;
    await this.#view.current(again ? 0 : OLD_MS);
  }

  async #work(key: string, queue: Queue, world: World, lost: AbortSignal): Promise<void> {
    const { metrics, logger, onRival } = this.#options;
    const found = this.#view.find(key);
    if (found === undefined) {
      this.#forget(key, queue);
      this.#interests.delete(key);
      this.#view.devices.reserve(key, []);
      world.roomSince.delete(key);
      world.prunedStatuses.delete(key);
      onRival?.(key, undefined);
      return;
    }
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    this.#echoes.begin(key);
    this.#interests.begin(key);
    try {
      const result = await reconcile(found.watch.type, found.stored, world, queue.failures(key) >= LASTING_FAILURES);
      const missedMs = this.#interests.set(key, result, result.retry !== undefined);
      if (result.retry === 'soon') queue.addRateLimited(key);
      else if (result.retry === 'later') queue.addRateLimited(key, REFUSAL_BACKOFF);
      else this.#forget(key, queue);
      for (const ms of [result.requeueAfterMs, missedMs]) if (ms !== undefined) queue.addAfter(key, ms);
      onRival?.(key, result.rival);
      metrics.reconciled(CONTROLLER, outcome(result), seconds());
    } catch (error) {
      // Aborted: somebody else has the Lease now, and with it the work.
      if (lost.aborted) return;
      logger.error('A stack could not be reconciled and will be retried.', { stack: key, error });
      metrics.reconciled(CONTROLLER, 'error', seconds());
      const further = this.#echoes.cameFurther(key);
      if (further) queue.forget(key);
      queue.addRateLimited(key, further ? PROGRESS_BACKOFF : undefined);
    } finally {
      this.#interests.end(key);
      if (this.#echoes.end(key)) queue.add(key);
    }
  }

  /** Earlier failures no longer count. */
  #forget(key: string, queue: Queue): void {
    queue.forget(key);
    this.#echoes.forget(key);
  }

  /** Puts a stack as the API server answered it into the store. */
  #remember(object: KubernetesObject): void {
    const { kind, metadata } = object;
    this.#view.remember(object);
    this.#echoes.wrote(stackKey(kind, objectKey(metadata)), THE_STACK, Number(metadata.resourceVersion));
  }

  #world(client: Client): World {
    const { self, leaseMs, events, logger, watches } = this.#options;
    const view = this.#view;
    return {
      self,
      events,
      client,
      owned: view.owned,
      applier: stackApplier({ client, owned: view.owned }),
      pods: view.pods,
      podEvents: new PodEvents(client, logger),
      ingressClasses: new IngressClasses(client, logger),
      nodes: () => view.nodes(),
      devices: view.devices,
      claimModes: new ClaimModes(client, logger),
      roomSince: new Map(),
      patience: this.#options.patience ?? DEFAULT_PATIENCE,
      leases: new LeaseWatch({ client, presumedMs: leaseMs, sharedMs: SHARED_LOOK_MS }),
      leaseMs,
      capabilities: () => view.capabilities,
      selectorOf: ({ kind }) => watches.find(({ type }) => type.kind === kind)?.selector,
      namesakesOf: (stack) => view.namesakesOf(stack.kind, objectKey(stack.metadata)),
      remember: (stack: InferenceStack) => this.#remember(stack as unknown as KubernetesObject),
      prunedStatuses: new Map(),
      now: () => new Date(),
      logger,
    };
  }

  /** With an object and its version, a change can be recognised as our own. */
  #enqueue(key: string, object = THE_STACK, version?: number): void {
    if (version === undefined || !this.#echoes.heard(key, object, version)) this.#queue?.add(key);
  }

  /** Schedules another look at the stacks that wait for one of the resources, or follow it. */
  #wake(resources: readonly string[] | 'any', by?: string, whom?: 'all' | 'meanwhile'): void {
    this.#interests.wake(resources, (key, afterMs) => this.#queue?.addAfter(key, afterMs), by, whom);
  }

  #enqueueAll(): void {
    for (const key of this.#view.keys()) this.#enqueue(key);
  }
}

/** A refusal by the API server is the author's mistake, which the status reports, and not an error of the operator. */
function outcome({ retry, requeueAfterMs }: ReconcileResult): ReconcileOutcome {
  if (retry !== undefined) return 'requeue';
  return requeueAfterMs === undefined ? 'success' : 'requeue_after';
}

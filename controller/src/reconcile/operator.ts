import type { InferenceStack } from '../../../packages/api/types.ts';
import { FIELD_MANAGER } from '../../../packages/api/constants.ts';
import { MANAGED_BY_OPERATOR } from '../../../packages/api/labels.ts';
import { labelSelector } from '../../../packages/kube/label-selector.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import { Echoes } from '../../../packages/kube/queue/echoes.ts';
import type { EventRecorder } from '../../../packages/kube/events.ts';
import type { Term } from '../../../packages/kube/lease/lease.ts';
import { LeaseWatch } from '../../../packages/kube/lease/lease-watch.ts';
import type { Logger } from '../../../packages/kube/process/log.ts';
import type { ReconcileOutcome, RuntimeMetrics } from '../../../packages/kube/process/metrics.ts';
import { objectKey, type KubernetesObject } from '../../../packages/kube/object.ts';
import { OwnedKinds } from '../../../packages/kube/apply/owned.ts';
import { unlessAborted } from '../../../packages/lib/pause.ts';
import { Queue, runWorkers } from '../../../packages/kube/queue/queue.ts';
import { Reflector, type AnyReflector } from '../../../packages/kube/watch/reflector.ts';
import type { Rival, Self } from './claim.ts';
import { liveDeployment, type LiveDeployment } from './live-deployment.ts';
import { DevicesInUse } from './gpu/devices-in-use.ts';
import { OWNED_KINDS } from '../../../packages/api/kinds.ts';
import { NODES, PODS } from '../../../packages/kube/resource-types.ts';
import { isSamePlace, keepNode, type NodeView } from '../../../packages/kube/placement/node-view.ts';
import { IngressClasses } from './ingress-classes.ts';
import { Interests } from './interests.ts';
import { NodeIndex } from '../../../packages/kube/placement/node-index.ts';
import { PodEvents } from '../../../packages/kube/pods/pod-events.ts';
import { keepPod, type PodView } from './pod-view.ts';
import { reconcile, type ReconcileResult } from './reconciler.ts';
import { ClaimModes } from './rollout/claim-modes.ts';
import { DEFAULT_PATIENCE, type Patience } from './rollout/patience.ts';
import { stackApplier } from './stack-applier.ts';
import {
  keepStack,
  namesKind,
  namespaceOf,
  owningStack,
  splitStackKey,
  stackKey,
  type StoredStack,
} from './stack-view.ts';
import type { World } from './state.ts';
import type { Watch } from './watches.ts';

export interface OperatorOptions {
  readonly client: Client;
  readonly self: Self;
  readonly watches: readonly Watch[];
  /** How long a Lease lasts without being renewed. */
  readonly leaseMs: number;
  /** Called after each look at a stack, with the operator that keeps us from it, if there is one. */
  readonly onRival?: ((stack: string, rival: Rival | undefined) => void) | undefined;
  readonly events: EventRecorder;
  readonly metrics: RuntimeMetrics;
  readonly logger: Logger;
  readonly workers?: number | undefined;
  /** How soon to look again for optional kinds that the cluster does not have. */
  readonly absentRetryMs?: number | undefined;
  readonly watchIdleMs?: number | undefined;
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

/** Among what is written for a stack: the stack itself, and none of its objects. */
const THE_STACK = '';

/** A process that has only just listed the stacks need not list them twice when it starts to lead. */
const OLD_MS = 5_000;

/**
 * Watches the cluster all the time, and works on stacks while it leads. docs/concepts/controller.md
 * follows an event from the API server to a status.
 */
export class Operator {
  readonly #options: OperatorOptions;
  readonly #stacks: ReadonlyMap<string, Reflector<StoredStack>>;
  readonly #owned: OwnedKinds<LiveDeployment>;
  readonly #pods: Reflector<PodView>;
  readonly #nodes: Reflector<NodeView>;
  readonly #devices = new DevicesInUse();
  /** The index of the nodes as they are now; made when it is needed. */
  #nodeIndex: NodeIndex | undefined;
  readonly #interests: Interests;
  readonly #echoes = new Echoes();
  #ledBefore = false;
  #queue: Queue | undefined;

  constructor(options: OperatorOptions) {
    this.#options = options;
    this.#interests = new Interests(options.patience ?? DEFAULT_PATIENCE);
    const { client, watches, absentRetryMs, watchIdleMs, logger } = options;
    const common = { client, absentRetryMs, watchIdleMs, logger };
    this.#stacks = new Map(watches.map((watch) => [watch.type.kind, this.#stackReflector(watch, common)]));
    this.#owned = new OwnedKinds({
      ...common,
      kinds: OWNED_KINDS,
      labelSelector: labelSelector(MANAGED_BY_OPERATOR),
      fieldManager: FIELD_MANAGER,
      ownerOf: owningStack,
      detailsOf: liveDeployment,
      onOwner: (owner, object, version) => {
        for (const key of this.#keysOf(owner)) this.#enqueue(key, object, version);
      },
      onWritten: (owner, object, version) => {
        for (const key of this.#keysOf(owner)) this.#echoes.wrote(key, object, version);
      },
      onServed: () => this.#enqueueAll(),
    });
    this.#pods = new Reflector<PodView>({
      ...common,
      type: PODS,
      keep: keepPod,
      indexers: { stack: ({ stack }) => (stack === undefined ? [] : [stack]) },
      onChange: ({ before, after }) => {
        this.#devices.update({ before, after });
        const { stack } = after ?? before ?? {};
        for (const key of stack === undefined ? [] : this.#keysOf(stack)) this.#enqueue(key);
        if (before?.node !== after?.node) this.#wake(Object.keys({ ...before?.devices, ...after?.devices }));
      },
    });
    this.#nodes = new Reflector<NodeView>({
      ...common,
      type: NODES,
      keep: keepNode,
      onChange: ({ before, after }) => {
        if (isSamePlace(before, after)) return;
        this.#nodeIndex = undefined;
        this.#wake('any');
      },
    });
  }

  /** The kinds that must be listed before work can begin, and have not been yet. */
  get notReady(): string[] {
    return this.#reflectors()
      .filter(({ ready }) => !ready)
      .map(({ type }) => type.plural);
  }

  /** Kinds of stacks that the cluster does not serve: without them there is nothing to do. */
  get missingKinds(): string[] {
    const needed = this.#options.watches.filter(({ optional }) => optional !== true).map(({ type }) => type.kind);
    return needed.filter((kind) => this.#stacks.get(kind)?.served === false);
  }

  /** The needed resource of which nothing was heard for the longest time, and for how many milliseconds. */
  get stalest(): { readonly resource: string; readonly ms: number } {
    const needed = this.#reflectors().filter(({ optional }) => !optional);
    const heard = needed.map((reflector) => ({ resource: reflector.type.plural, ms: reflector.staleness() }));
    return heard.reduce((one, other) => (other.ms > one.ms ? other : one));
  }

  get idle(): boolean {
    return this.#queue?.idle ?? true;
  }

  /** Lists and watches everything until the signal is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#reflectors().map((reflector) => reflector.run(signal)));
  }

  /** Reconciles until stopped; returns when the last write has ended or was aborted. */
  async lead({ stop, lost, client }: Term): Promise<void> {
    await unlessAborted(stop, () => this.#current());
    if (stop.aborted) return;
    const workers = this.#options.workers ?? 16;
    const sharing = {
      tenantOf: namespaceOf,
      most: Math.ceil(workers * TENANT_SHARE),
      isHeavy: (key: string) => this.#isHeavy(key),
      mostHeavy: Math.ceil(workers * HEAVY_SHARE),
    };
    const queue = new Queue({ observer: this.#options.metrics.queueObserver(CONTROLLER), sharing });
    this.#queue = queue;
    stop.addEventListener('abort', () => queue.shutDown(), { once: true });
    this.#devices.forgetReservations();
    this.#enqueueAll();
    const world = this.#world(client);
    await runWorkers(queue, workers, (key) => this.#work(key, queue, world, lost));
    this.#queue = undefined;
  }

  /**
   * Resolves when everything was listed, and the stacks were listed recently. Whoever held the Lease meanwhile may have
   * handed some of them over, and a watch whose connection died silently would not have shown it.
   */
  async #current(): Promise<void> {
    const again = this.#ledBefore;
    this.#ledBefore = true;
    const old = [...this.#stacks.values()].filter(
      (reflector) => reflector.synced && (again || reflector.age() > OLD_MS),
    );
    await Promise.all([
      ...this.#reflectors().map(({ whenReady }) => whenReady),
      ...old.map((reflector) => reflector.refresh()),
    ]);
  }

  #isHeavy(key: string): boolean {
    const { kind, stack } = splitStackKey(key);
    return this.#stacks.get(kind)?.store.get(stack)?.heavy === true;
  }

  async #work(key: string, queue: Queue, world: World, lost: AbortSignal): Promise<void> {
    const { metrics, logger, onRival } = this.#options;
    const { kind, stack } = splitStackKey(key);
    const reflector = this.#stacks.get(kind);
    const stored = reflector?.store.get(stack);
    if (reflector === undefined || stored === undefined) {
      this.#forget(key, queue);
      this.#interests.delete(key);
      this.#devices.reserve(key, []);
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
      const result = await reconcile(reflector.type, stored, world, queue.failures(key) >= LASTING_FAILURES);
      const missedMs = this.#interests.set(key, result);
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
    this.#stacks.get(kind)?.remember(object);
    this.#echoes.wrote(stackKey(kind, objectKey(metadata)), THE_STACK, Number(metadata.resourceVersion));
  }

  #world(client: Client): World {
    const { self, leaseMs, events, logger } = this.#options;
    return {
      self,
      events,
      client,
      owned: this.#owned,
      applier: stackApplier({ client, owned: this.#owned }),
      pods: this.#pods.store,
      podEvents: new PodEvents(client, logger),
      ingressClasses: new IngressClasses(client, logger),
      nodes: () => this.#index(),
      devices: this.#devices,
      claimModes: new ClaimModes(client, logger),
      roomSince: new Map(),
      patience: this.#options.patience ?? DEFAULT_PATIENCE,
      leases: new LeaseWatch({ client, presumedMs: leaseMs, sharedMs: SHARED_LOOK_MS }),
      leaseMs,
      capabilities: () => ({
        keda: !this.#owned.isAbsent('ScaledObject'),
        serviceMonitor: !this.#owned.isAbsent('ServiceMonitor'),
      }),
      selectorOf: ({ kind }) => this.#options.watches.find(({ type }) => type.kind === kind)?.selector,
      namesakesOf: (stack) => this.#namesakesOf(stack.kind, objectKey(stack.metadata)),
      remember: (stack: InferenceStack) => this.#remember(stack as unknown as KubernetesObject),
      prunedStatuses: new Map(),
      now: () => new Date(),
      logger,
    };
  }

  #stackReflector(
    { type, optional }: Watch,
    common: Pick<OperatorOptions, 'client' | 'absentRetryMs' | 'watchIdleMs' | 'logger'>,
  ): Reflector<StoredStack> {
    return new Reflector<StoredStack>({
      ...common,
      type,
      optional,
      // All of them, whatever the selector says: a stack that no longer matches has to be released.
      keep: keepStack,
      onChange: ({ key, after }) => {
        this.#enqueue(stackKey(type.kind, key), THE_STACK, after?.resourceVersion);
        for (const { kind } of this.#namesakesOf(type.kind, key)) this.#enqueue(stackKey(kind, key));
      },
    });
  }

  #index(): NodeIndex {
    this.#nodeIndex ??= new NodeIndex([...this.#nodes.store.values()]);
    return this.#nodeIndex;
  }

  #reflectors(): AnyReflector[] {
    return [...this.#stacks.values(), ...this.#owned.reflectors, this.#pods, this.#nodes];
  }

  /** The keys of an owner; of one whose kind is unknown, those of every stack of its name. */
  #keysOf(owner: string): string[] {
    if (namesKind(owner)) return this.#stacks.has(splitStackKey(owner).kind) ? [owner] : [];
    return [...this.#stacks].flatMap(([kind, { store }]) =>
      store.get(owner) === undefined ? [] : [stackKey(kind, owner)],
    );
  }

  #namesakesOf(kind: string, key: string): InferenceStack[] {
    const others = [...this.#stacks].filter(([other]) => other !== kind);
    return others.flatMap(([, { store }]) => store.get(key)?.stack ?? []);
  }

  /** With an object and its version, a change can be recognised as our own. */
  #enqueue(key: string, object = THE_STACK, version?: number): void {
    if (version === undefined || !this.#echoes.heard(key, object, version)) this.#queue?.add(key);
  }

  /** Schedules another look at the stacks that wait for one of the resources, or follow it. */
  #wake(resources: readonly string[] | 'any'): void {
    this.#interests.wake(resources, (key, afterMs) => this.#queue?.addAfter(key, afterMs));
  }

  #enqueueAll(): void {
    for (const [kind, { store }] of this.#stacks) for (const key of store.keys()) this.#enqueue(stackKey(kind, key));
  }
}

/** A refusal by the API server is the author's mistake, which the status reports, and not an error of the operator. */
function outcome({ retry, requeueAfterMs }: ReconcileResult): ReconcileOutcome {
  if (retry !== undefined) return 'requeue';
  return requeueAfterMs === undefined ? 'success' : 'requeue_after';
}

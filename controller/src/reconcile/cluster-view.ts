import type { InferenceStack } from '../../../packages/api/types.ts';
import { FIELD_MANAGER } from '../../../packages/api/constants.ts';
import { OWNED_KINDS } from '../../../packages/api/kinds.ts';
import { MANAGED_BY_OPERATOR } from '../../../packages/api/labels.ts';
import type { Capabilities } from '../../../packages/render/model.ts';
import { OwnedKinds } from '../../../packages/kube/apply/owned.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import { labelSelector } from '../../../packages/kube/label-selector.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { NodeIndex } from '../../../packages/kube/placement/node-index.ts';
import { isSamePlace, keepNode, type NodeView } from '../../../packages/kube/placement/node-view.ts';
import type { Logger } from '../../../packages/kube/process/log.ts';
import { NODES, PODS } from '../../../packages/kube/resource-types.ts';
import { Reflector, type AnyReflector } from '../../../packages/kube/watch/reflector.ts';
import { ServedGroup } from '../../../packages/kube/watch/served-group.ts';
import type { Store } from '../../../packages/kube/watch/store.ts';
import { DevicesInUse } from './gpu/devices-in-use.ts';
import { liveDeployment, type LiveDeployment } from './live-deployment.ts';
import { keepPod, type PodView } from './pod-view.ts';
import { keepStack, namesKind, owningStack, splitStackKey, stackKey, type StoredStack } from './stack-view.ts';
import type { Watch } from './watches.ts';

export interface ClusterViewOptions {
  readonly client: Client;
  readonly watches: readonly Watch[];
  readonly logger: Logger;
  /** How soon to look again for optional kinds that the cluster does not have. */
  readonly absentRetryMs?: number | undefined;
  /** How soon to ask again whether the platform assigns user ids, after it was found not to. */
  readonly platformRetryMs?: number | undefined;
  readonly watchIdleMs?: number | undefined;
}

/** What is made of a change, by the keys of the stacks that it concerns. */
export interface ClusterListener {
  /** The stack itself, one of its objects or pods, or its namesake has changed. With a version a change can be recognised as our own. */
  readonly onStack: (key: string, object?: string, version?: number) => void;
  /** The answer to a write of ours is known. */
  readonly onWritten: (key: string, object: string, version: number) => void;
  /**
   * These devices may be had where they were not, or the other way round; `by` is the stack that has made it so. It concerns all that want
   * such devices, or those that have counted them in the meantime.
   */
  readonly onDevices: (resources: readonly string[] | 'any', by?: string, whom?: 'all' | 'meanwhile') => void;
  /** What the cluster can do has changed, which concerns every stack. */
  readonly onPlatform: () => void;
}

/** Among what is written for a stack: the stack itself, and none of its objects. */
export const THE_STACK = '';

/** The group of SecurityContextConstraints: a platform that serves it, as OpenShift does, gives each namespace user ids of its own. */
const ASSIGNS_USER_IDS = 'security.openshift.io';

/** The cluster as it is seen: what is watched, what is kept of it, and which stacks a change concerns. */
export class ClusterView {
  readonly owned: OwnedKinds<LiveDeployment>;
  readonly devices: DevicesInUse;
  readonly #watches: readonly Watch[];
  readonly #stacks: ReadonlyMap<string, Reflector<StoredStack>>;
  readonly #pods: Reflector<PodView>;
  readonly #nodes: Reflector<NodeView>;
  readonly #userIds: ServedGroup;
  /** The index of the nodes as they are now; made when it is needed. */
  #nodeIndex: NodeIndex | undefined;

  constructor(options: ClusterViewOptions, listener: ClusterListener) {
    const { client, watches, absentRetryMs, watchIdleMs, logger } = options;
    const common = { client, absentRetryMs, watchIdleMs, logger };
    this.#watches = watches;
    this.devices = new DevicesInUse((...freed) => listener.onDevices(...freed));
    this.#stacks = new Map(watches.map((watch) => [watch.type.kind, this.#stackReflector(watch, common, listener)]));
    this.owned = new OwnedKinds({
      ...common,
      kinds: OWNED_KINDS,
      labelSelector: labelSelector(MANAGED_BY_OPERATOR),
      fieldManager: FIELD_MANAGER,
      ownerOf: owningStack,
      detailsOf: liveDeployment,
      onOwner: (owner, object, version) => {
        for (const key of this.#keysOf(owner)) listener.onStack(key, object, version);
      },
      onWritten: (owner, object, version) => {
        for (const key of this.#keysOf(owner)) listener.onWritten(key, object, version);
      },
      onServed: () => listener.onPlatform(),
    });
    this.#pods = new Reflector<PodView>({
      ...common,
      type: PODS,
      keep: keepPod,
      indexers: { stack: ({ stack }) => (stack === undefined ? [] : [stack]) },
      onChange: ({ before, after }) => {
        this.devices.update({ before, after });
        const { stack } = after ?? before ?? {};
        for (const key of stack === undefined ? [] : this.#keysOf(stack)) listener.onStack(key);
        if (before?.node !== after?.node) listener.onDevices(Object.keys({ ...before?.devices, ...after?.devices }));
      },
    });
    this.#nodes = new Reflector<NodeView>({
      ...common,
      type: NODES,
      keep: keepNode,
      onChange: ({ before, after }) => {
        if (isSamePlace(before, after)) return;
        this.#nodeIndex = undefined;
        listener.onDevices('any');
      },
    });
    this.#userIds = new ServedGroup({
      client,
      group: ASSIGNS_USER_IDS,
      askAgainMs: options.platformRetryMs,
      logger,
      onServed: () => listener.onPlatform(),
    });
  }

  /** What must be known before work can begin, and is not yet: kinds by their plural, and groups. */
  get notReady(): string[] {
    const kinds = this.#reflectors().filter(({ ready }) => !ready);
    const groups = this.#userIds.served === undefined ? [this.#userIds.group] : [];
    return [...kinds.map(({ type }) => type.plural), ...groups];
  }

  /** Kinds of stacks that the cluster does not serve: without them there is nothing to do. */
  get missingKinds(): string[] {
    const needed = this.#watches.filter(({ optional }) => optional !== true).map(({ type }) => type.kind);
    return needed.filter((kind) => this.#stacks.get(kind)?.served === false);
  }

  /** The needed resource of which nothing was heard for the longest time, and for how many milliseconds. */
  get stalest(): { readonly resource: string; readonly ms: number } {
    const needed = this.#reflectors().filter(({ optional }) => !optional);
    const heard = needed.map((reflector) => ({ resource: reflector.type.plural, ms: reflector.staleness() }));
    return heard.reduce((one, other) => (other.ms > one.ms ? other : one));
  }

  get pods(): Store<PodView> {
    return this.#pods.store;
  }

  get capabilities(): Capabilities {
    return {
      keda: !this.owned.isAbsent('ScaledObject'),
      serviceMonitor: !this.owned.isAbsent('ServiceMonitor'),
      assignsUserIds: this.#userIds.served === true,
    };
  }

  nodes(): NodeIndex {
    this.#nodeIndex ??= new NodeIndex([...this.#nodes.store.values()]);
    return this.#nodeIndex;
  }

  /** Lists and watches everything, and asks what the platform is, until the signal is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#reflectors(), this.#userIds].map((each) => each.run(signal)));
  }

  /** Resolves when everything is known, and the stacks were listed less than the given time ago. */
  async current(maxAgeMs: number): Promise<void> {
    const old = [...this.#stacks.values()].filter((reflector) => reflector.synced && reflector.age() >= maxAgeMs);
    await Promise.all([
      ...this.#reflectors().map(({ whenReady }) => whenReady),
      this.#userIds.whenAnswered,
      ...old.map((reflector) => reflector.refresh()),
    ]);
  }

  /** The keys of all stacks. */
  keys(): string[] {
    return [...this.#stacks].flatMap(([kind, { store }]) => [...store.keys()].map((key) => stackKey(kind, key)));
  }

  /** The watch that a stack belongs to, and the stack, unless it has gone. */
  find(key: string): { readonly watch: Watch; readonly stored: StoredStack } | undefined {
    const { kind, stack } = splitStackKey(key);
    const watch = this.#watches.find(({ type }) => type.kind === kind);
    const stored = this.#stacks.get(kind)?.store.get(stack);
    return watch === undefined || stored === undefined ? undefined : { watch, stored };
  }

  /** Stacks of the same name in other kinds. */
  namesakesOf(kind: string, key: string): InferenceStack[] {
    const others = [...this.#stacks].filter(([other]) => other !== kind);
    return others.flatMap(([, { store }]) => store.get(key)?.stack ?? []);
  }

  /** Puts a stack as the API server answered it into the store. */
  remember(object: KubernetesObject): void {
    this.#stacks.get(object.kind)?.remember(object);
  }

  #stackReflector(
    { type, optional }: Watch,
    common: Pick<ClusterViewOptions, 'client' | 'absentRetryMs' | 'watchIdleMs' | 'logger'>,
    { onStack }: ClusterListener,
  ): Reflector<StoredStack> {
    return new Reflector<StoredStack>({
      ...common,
      type,
      optional,
      // All of them, whatever the selector says: a stack that no longer matches has to be released.
      keep: keepStack,
      onChange: ({ key, after }) => {
        onStack(stackKey(type.kind, key), THE_STACK, after?.resourceVersion);
        for (const { kind } of this.namesakesOf(type.kind, key)) onStack(stackKey(kind, key));
      },
    });
  }

  #reflectors(): AnyReflector[] {
    return [...this.#stacks.values(), ...this.owned.reflectors, this.#pods, this.#nodes];
  }

  /** The keys of an owner; of one whose kind is unknown, those of every stack of its name. */
  #keysOf(owner: string): string[] {
    if (namesKind(owner)) return this.#stacks.has(splitStackKey(owner).kind) ? [owner] : [];
    return [...this.#stacks].flatMap(([kind, { store }]) =>
      store.get(owner) === undefined ? [] : [stackKey(kind, owner)],
    );
  }
}

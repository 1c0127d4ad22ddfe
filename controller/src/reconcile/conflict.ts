import { Gauge, type Registry } from 'prom-client';
import type { EventRecorder } from '../../../packages/kube/events.ts';
import { LEASES } from '../../../packages/kube/lease/lease-watch.ts';
import { definedOnly } from '../../../packages/lib/values.ts';
import type { Logger } from '../../../packages/kube/process/log.ts';
import { apiVersionOf, objectKey, type KubernetesObject, type ObjectRef } from '../../../packages/kube/object.ts';
import type { Rival } from './claim.ts';

/** Who holds a Lease: the installation, and which of its pods. A rolling upgrade changes only the pod. */
export function leaseIdentity(installation: string, pod: string): string {
  return `${installation}_${pod}`;
}

export function installationOf(identity: string): string {
  const end = identity.lastIndexOf('_');
  return end < 0 ? identity : identity.slice(0, end);
}

export function conflictGauge(registry: Registry): Gauge {
  return new Gauge({
    name: 'inference_stack_operator_conflict',
    help: 'Whether another installation of the same major version holds the Lease, or stacks that this one would serve.',
    registers: [registry],
  });
}

export interface ConflictOptions {
  readonly installation: string;
  readonly lease: ObjectRef;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly registry: Registry;
  readonly logger: Logger;
}

/**
 * Notices that another installation of the same major is at work, and tells people: this one stays idle, or, if the two have Leases of
 * their own, leaves the other one's stacks alone.
 */
export class ConflictReporter {
  readonly #options: ConflictOptions;
  readonly #gauge: Gauge;
  #holder: string | undefined;
  /** What stands in the way of each stack that somebody else holds. */
  readonly #byStack = new Map<string, string>();
  /** How often each conflict exists, by its message. It is reported when it begins. */
  readonly #conflicts = new Map<string, number>();

  constructor(options: ConflictOptions) {
    this.#options = options;
    this.#gauge = conflictGauge(options.registry);
  }

  /** The holder as last seen: `''` for none, nothing when there is no Lease. */
  get holder(): string | undefined {
    return this.#holder;
  }

  onHolder(holder: string | undefined): void {
    const before = this.#idleBehind(this.#holder);
    this.#holder = holder;
    this.#change(before, this.#idleBehind(holder));
  }

  onStack(stack: string, rival: Rival | undefined): void {
    const before = this.#byStack.get(stack);
    const after = rival === undefined ? undefined : this.#keptFromStacksOf(rival);
    if (after === undefined) this.#byStack.delete(stack);
    else this.#byStack.set(stack, after);
    this.#change(before, after);
  }

  /** A process that does not lead serves no stacks, so nobody keeps it from any. */
  forgetStacks(): void {
    for (const stack of [...this.#byStack.keys()]) this.onStack(stack, undefined);
  }

  #idleBehind(holder = ''): string | undefined {
    const { installation } = this.#options;
    const rival = installationOf(holder);
    if (holder === '' || rival === installation) return undefined;
    return (
      `${installation} stays idle, because ${rival} serves the same major version. ` +
      'Uninstall one of the two; two operators of one major would reconcile the same stacks.'
    );
  }

  #keptFromStacksOf({ operator, lease, readable }: Rival): string {
    const { installation } = this.#options;
    const leaves = `${installation} leaves the stacks of ${operator} alone, because`;
    return readable
      ? `${leaves} that one serves the same major version, under Lease ${objectKey(lease)}. Uninstall one of the two.`
      : `${leaves} it may not read Lease ${objectKey(lease)}, so it cannot tell whether that one is still running. ` +
          'Allow it to get this Lease; if the other one has gone for good, set status.claim.released of its stacks to true.';
  }

  #change(before: string | undefined, after: string | undefined): void {
    if (before === after) return;
    if (after !== undefined) {
      const count = this.#conflicts.get(after) ?? 0;
      this.#conflicts.set(after, count + 1);
      if (count === 0) this.#report(after);
    }
    if (before !== undefined) {
      const left = (this.#conflicts.get(before) ?? 0) - 1;
      if (left > 0) this.#conflicts.set(before, left);
      else this.#conflicts.delete(before);
    }
    this.#gauge.set(this.#conflicts.size === 0 ? 0 : 1);
  }

  #report(message: string): void {
    const { lease, events, logger } = this.#options;
    logger.error(message, { reason: 'OperatorConflict' });
    const about: KubernetesObject = {
      apiVersion: apiVersionOf(LEASES),
      kind: LEASES.kind,
      metadata: definedOnly(lease),
    };
    events.record(about, { type: 'Warning', reason: 'OperatorConflict', message });
  }
}

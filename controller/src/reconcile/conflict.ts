import { Gauge, type Registry } from 'prom-client';
import type { EventRecorder } from '../runtime/events.ts';
import { LEASES } from '../runtime/lease-watch.ts';
import type { Logger } from '../runtime/log.ts';
import { apiVersionOf, type KubernetesObject, type ObjectRef } from '../runtime/object.ts';

/** Who holds a Lease: the installation, and which of its pods. A rolling upgrade changes only the pod. */
export function leaseIdentity(installation: string, pod: string): string {
  return `${installation}_${pod}`;
}

export function installationOf(identity: string): string {
  const end = identity.lastIndexOf('_');
  return end < 0 ? identity : identity.slice(0, end);
}

export interface ConflictOptions {
  readonly installation: string;
  readonly lease: ObjectRef;
  readonly events: EventRecorder;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Notices that another installation of the same major is at work, and tells people: this one stays idle. */
export class ConflictReporter {
  readonly #options: ConflictOptions;
  readonly #gauge: Gauge;
  #holder: string | undefined;
  #reported: string | undefined;

  constructor(options: ConflictOptions) {
    this.#options = options;
    this.#gauge = new Gauge({
      name: 'inference_stack_operator_conflict',
      help: 'Whether another installation of the same major version holds the Lease.',
      registers: [options.registry],
    });
  }

  /** The holder as last seen: `''` for none, nothing when there is no Lease. */
  get holder(): string | undefined {
    return this.#holder;
  }

  /** The installation that is in the way, if there is one. */
  get rival(): string | undefined {
    const holder = this.#holder ?? '';
    return holder === '' || installationOf(holder) === this.#options.installation ? undefined : installationOf(holder);
  }

  onHolder(holder: string | undefined): void {
    this.#holder = holder;
    const { rival } = this;
    this.#gauge.set(rival === undefined ? 0 : 1);
    if (rival !== undefined && rival !== this.#reported) this.#tell(rival);
    this.#reported = rival;
  }

  #tell(rival: string): void {
    const { installation, lease, events, logger } = this.#options;
    const message =
      `${installation} stays idle, because ${rival} serves the same major version. ` +
      'Uninstall one of the two; two operators of one major would reconcile the same stacks.';
    logger.error(message, { reason: 'OperatorConflict' });
    const about: KubernetesObject = { apiVersion: apiVersionOf(LEASES), kind: LEASES.kind, metadata: { ...lease } };
    events.record(about, { type: 'Warning', reason: 'OperatorConflict', message });
  }
}

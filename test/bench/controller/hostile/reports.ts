import type { InferenceStack } from '../../../../packages/api/types.ts';
import type { Client } from '../../../../packages/kube/client/client.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { Reflector } from '../../../../packages/kube/watch/reflector.ts';
import { STACKS } from '../../../support/operator/stack-api.ts';

interface Seen {
  readonly resourceVersion: number;
  readonly generation: number;
  readonly accepted: string;
}

/** Hears of every status that the operator writes. */
export class Reports {
  readonly #reflector: Reflector<Seen>;
  readonly #waiting = new Map<string, { generation: number; resolve: () => void }>();

  /** Of all stacks, or of those that a field selector selects. */
  constructor(client: Client, signal: AbortSignal, fieldSelector?: string) {
    this.#reflector = new Reflector<Seen>({
      client,
      type: STACKS,
      fieldSelector,
      keep: seenOf,
      onChange: ({ key, after }) => {
        const waiter = this.#waiting.get(key);
        if (waiter === undefined || (after?.generation ?? 0) < waiter.generation) return;
        this.#waiting.delete(key);
        waiter.resolve();
      },
    });
    void this.#reflector.run(signal);
  }

  /** Resolves when the operator has reported on a generation of a stack. */
  async until(key: string, generation: number): Promise<void> {
    if ((this.#reflector.store.get(key)?.generation ?? 0) >= generation) return;
    await new Promise<void>((resolve) => this.#waiting.set(key, { generation, resolve }));
  }

  count(reason: string): number {
    return [...this.#reflector.store.values()].filter(({ accepted }) => accepted === reason).length;
  }
}

function seenOf(object: KubernetesObject): Seen {
  const { metadata, status } = object as unknown as InferenceStack;
  return {
    resourceVersion: Number(metadata.resourceVersion),
    generation: status?.observedGeneration ?? 0,
    accepted: status?.conditions?.find(({ type }) => type === 'Accepted')?.reason ?? '',
  };
}

import type { Client } from '../../../packages/kube/client/client.ts';
import { objectKey, type KubernetesObject, type ObjectRef, type ResourceType } from '../../../packages/kube/object.ts';
import { Reflector } from '../../../packages/kube/watch/reflector.ts';

interface Seen {
  readonly resourceVersion: number;
  readonly value: string;
}

/** All values of a part of one object since the recording began, without repetitions, as JSON. */
export class History {
  readonly values: string[] = [];
  readonly #stop = new AbortController();

  private constructor() {
    this.values = [];
  }

  static async record(
    client: Client,
    type: ResourceType,
    ref: ObjectRef,
    part: (object: KubernetesObject) => unknown,
  ): Promise<History> {
    const history = new History();
    const reflector = new Reflector<Seen>({
      client,
      type,
      keep: (object) => ({
        resourceVersion: Number(object.metadata.resourceVersion),
        value: JSON.stringify(part(object) ?? null),
      }),
      onChange: ({ key, after }) => {
        if (key !== objectKey(ref) || after === undefined || history.values.at(-1) === after.value) return;
        history.values.push(after.value);
      },
    });
    void reflector.run(history.#stop.signal);
    await reflector.whenSynced;
    return history;
  }

  stop(): void {
    this.#stop.abort();
  }
}

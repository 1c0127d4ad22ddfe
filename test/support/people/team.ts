import assert from 'node:assert/strict';
import type { InferenceStack, InferenceStackSpec } from '../../../packages/api/types.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import { eventually } from '../machine/eventually.ts';
import type { TestOperator } from '../operator/operator.ts';
import { getStack, newStack, ownedType, STACKS } from '../operator/stack-api.ts';

/** A team that writes stacks into one namespace and waits until the operator has done its part. */
export class Team {
  readonly namespace: string;
  operator: TestOperator;
  readonly #client: Client;

  constructor(client: Client, operator: TestOperator, namespace = 'team-a') {
    this.#client = client;
    this.operator = operator;
    this.namespace = namespace;
  }

  async create(name: string, spec: InferenceStackSpec): Promise<InferenceStack> {
    await this.#client.create(STACKS, newStack(this.namespace, name, spec));
    return this.settled(name);
  }

  async change(name: string, spec: Record<string, unknown>): Promise<InferenceStack> {
    await this.#client.mergePatch(STACKS, { namespace: this.namespace, name }, { spec });
    return this.settled(name);
  }

  async settled(name: string): Promise<InferenceStack> {
    await eventually(async () => {
      const stack = await this.stack(name);
      assert.equal(stack.status?.observedGeneration, stack.metadata.generation);
    });
    await this.operator.quiet();
    return this.stack(name);
  }

  async stack(name: string): Promise<InferenceStack> {
    return getStack(this.#client, this.namespace, name);
  }

  async owned(kind: string, name: string): Promise<KubernetesObject> {
    const type: ResourceType = ownedType(kind);
    return this.#client.get(type, { namespace: this.namespace, name });
  }

  async replicas(deployment: string): Promise<number | undefined> {
    return ((await this.owned('Deployment', deployment))['spec'] as { replicas?: number }).replicas;
  }
}

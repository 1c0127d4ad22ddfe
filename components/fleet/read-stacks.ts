import { OPERATOR_VERSION_LABEL } from '../../packages/api/constants.ts';
import { STACK_TYPES } from '../../packages/api/kinds.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import type { LabelledStack } from './removal.ts';

/** The stacks of a cluster, of every kind that it knows. */
export async function readStacks(client: Pick<Client, 'listAll'>): Promise<readonly LabelledStack[]> {
  const stacks = await Promise.all(STACK_TYPES.map((type) => optional(client.listAll(type))));
  return stacks.flat().map(({ metadata }) => ({
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    operatorVersion: metadata.labels?.[OPERATOR_VERSION_LABEL],
  }));
}

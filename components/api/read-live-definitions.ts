import { GROUP } from '../../packages/api/constants.ts';
import { STACK_TYPES } from '../../packages/api/kinds.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { DEFINITIONS } from '../olm/resource-types.ts';
import type { Definition } from './crd-compatibility.ts';

/** The CRDs of the InferenceStack API that a cluster has, for `live` of `InferenceStackApi`. */
export async function readLiveDefinitions(client: Pick<Client, 'get'>): Promise<readonly Definition[]> {
  const found = await Promise.all(
    STACK_TYPES.map(({ plural }) => optional(client.get(DEFINITIONS, { name: `${plural}.${GROUP}` }))),
  );
  return found.flat().map((object) => object as unknown as Definition);
}

import type { Client } from '../../controller/src/runtime/client.ts';
import { isManaged } from '../labels.ts';
import { optional } from '../optional.ts';
import { CONTROLLER, CRD_NAME, type ExistingOlm } from './existing.ts';
import { DEFINITIONS, DEPLOYMENTS } from './resource-types.ts';

/** The OLM that a cluster has, as `OlmV1` wants to know it; undefined when there is none. */
export async function readExistingOlm(client: Pick<Client, 'get' | 'listAll'>): Promise<ExistingOlm | undefined> {
  const [[definition], controllers] = await Promise.all([
    optional(client.get(DEFINITIONS, { name: CRD_NAME })),
    // Of every namespace: OLM has one set of CRDs, whose label may be left from ours, and may itself be anywhere.
    optional(client.listAll(DEPLOYMENTS, { fieldSelector: `metadata.name=${CONTROLLER.name}` })),
  ]);
  if (definition === undefined) return undefined;
  const labels = definition.metadata.labels ?? {};
  const controller = controllers.find(({ metadata }) => !isManaged(metadata.labels)) ?? controllers[0];
  return controller === undefined ? { labels } : { labels, controllerLabels: controller.metadata.labels ?? {} };
}

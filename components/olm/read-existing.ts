import semver from 'semver';
import type { Client } from '../../controller/src/runtime/client.ts';
import type { KubernetesObject } from '../../controller/src/runtime/object.ts';
import { isManaged } from '../labels.ts';
import { optional } from '../optional.ts';
import { parseReference } from '../registry/reference.ts';
import { CONTROLLER, type ExistingOlm } from './existing.ts';
import { EXTENSION_CRD } from './extension-api.ts';
import { DEFINITIONS, DEPLOYMENTS } from './resource-types.ts';
import { OLM_VERSION_ANNOTATION } from './versions.ts';

/** The OLM that a cluster has, as `OlmV1` wants to know it; undefined when there is none. */
export async function readExistingOlm(client: Pick<Client, 'get' | 'listAll'>): Promise<ExistingOlm | undefined> {
  const [[definition], controllers] = await Promise.all([
    optional(client.get(DEFINITIONS, { name: EXTENSION_CRD })),
    // Of every namespace: OLM has one set of CRDs, whose label may be left from ours, and may itself be anywhere.
    optional(client.listAll(DEPLOYMENTS, { fieldSelector: `metadata.name=${CONTROLLER.name}` })),
  ]);
  if (definition === undefined) return undefined;
  const labels = definition.metadata.labels ?? {};
  const controller = controllers.find(({ metadata }) => !isManaged(metadata.labels)) ?? controllers[0];
  if (controller === undefined) return { labels, definition };
  const version = runningVersion(controller);
  return {
    labels,
    definition,
    controllerLabels: controller.metadata.labels ?? {},
    ...(version === undefined ? {} : { version }),
  };
}

interface Controller extends KubernetesObject {
  readonly spec?: { readonly template?: { readonly spec?: { readonly containers?: readonly { image?: string }[] } } };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
  };
}

/**
 * The version that a controller runs: what this program wrote on it, or the tag of its image. Nothing while its newest pods have
 * not been ready yet: an upgrade that never came so far is taken back by setting the version back.
 */
function runningVersion(deployment: KubernetesObject): string | undefined {
  const { metadata, spec, status } = deployment as Controller;
  const rollout = status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
  if (rollout !== 'NewReplicaSetAvailable' || status?.observedGeneration !== metadata.generation) return undefined;
  const tags = (spec?.template?.spec?.containers ?? []).map(({ image = '' }) => parseReference(image)?.tag);
  const told = [metadata.annotations?.[OLM_VERSION_ANNOTATION], ...tags];
  return told.map((text) => semver.valid(text)).find((version) => version !== null);
}

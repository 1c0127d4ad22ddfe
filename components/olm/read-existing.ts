import semver from 'semver';
import type { Client } from '../../packages/kube/client/client.ts';
import type { KubernetesObject } from '../../packages/kube/object.ts';
import { isManaged } from '../../packages/api/labels.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { parseReference } from '../registry/reference.ts';
import { CONTROLLER, type ExistingOlm } from './existing.ts';
import { EXTENSION_CRD } from './extension-api.ts';
import { DEFINITIONS, DEPLOYMENTS, EXTENSIONS } from './resource-types.ts';
import { OLM_VERSION_ANNOTATION } from './versions.ts';

/** The OLM that a cluster has, for `existing` of `OlmV1`; undefined when there is none. */
export async function readExistingOlm(
  client: Pick<Client, 'get' | 'listAll'>,
  listed: Promise<readonly KubernetesObject[]> = optional(client.listAll(EXTENSIONS)),
): Promise<ExistingOlm | undefined> {
  const [extensions, [definition], controllers] = await Promise.all([
    listed,
    optional(client.get(DEFINITIONS, { name: EXTENSION_CRD })),
    // In every namespace: OLM has one set of CRDs, which may still have our label, but its controller may be anywhere.
    optional(client.listAll(DEPLOYMENTS, { fieldSelector: `metadata.name=${CONTROLLER.name}` })),
  ]);
  if (definition === undefined) return undefined;
  const labels = definition.metadata.labels ?? {};
  const candidates: readonly Controller[] = controllers;
  const controller = candidates.find(({ metadata }) => !isManaged(metadata.labels)) ?? candidates[0];
  const pod = controller?.spec?.template?.spec;
  const version = highest([
    ...(controller === undefined ? [] : runningVersions(controller)),
    // Written when OLM was ready, so an OLM whose newest rollout never ends is still known to have run.
    ...extensions.map(({ metadata }) => semver.valid(metadata.annotations?.[OLM_VERSION_ANNOTATION])),
  ]);
  return definedOnly({
    labels,
    definition,
    controllerLabels: controller && (controller.metadata.labels ?? {}),
    nodeSelector: pod && (pod.nodeSelector ?? {}),
    version,
  });
}

function highest(versions: readonly (string | null)[]): string | undefined {
  return versions.filter((version) => version !== null).sort(semver.rcompare)[0];
}

interface Controller extends KubernetesObject {
  readonly spec?: { readonly template?: { readonly spec?: ControllerPod } };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string }[];
  };
}

interface ControllerPod {
  readonly containers?: readonly { image?: string }[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

/**
 * The versions that a controller shows: the one that this program wrote on it, and the tag of its image. None until its
 * newest pods have been ready: such an upgrade can be undone by setting the old version again.
 */
function runningVersions({ metadata, spec, status }: Controller): readonly (string | null)[] {
  const rollout = status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
  if (rollout !== 'NewReplicaSetAvailable' || status?.observedGeneration !== metadata.generation) return [];
  const tags = (spec?.template?.spec?.containers ?? []).map(({ image = '' }) =>
    semver.valid(parseReference(image)?.tag),
  );
  const written = semver.valid(metadata.annotations?.[OLM_VERSION_ANNOTATION]);
  if (written === null) return tags;
  // Private registries may number images differently; such a tag is not a version of OLM.
  return [written, ...tags.filter((tag) => tag !== null && semver.major(tag) === semver.major(written))];
}

import { GROUP } from '../../packages/api/constants.ts';
import { STACK_TYPES } from '../../packages/api/kinds.ts';
import { isConflict, isNotFound } from '../../packages/kube/client/api-error.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { apiVersionOf, describeObject, type KubernetesObject } from '../../packages/kube/object.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { refuse, type Problem } from '../../packages/lib/problem.ts';
import { DEFINITIONS } from '../olm/resource-types.ts';
import type { Definition } from './crd-compatibility.ts';

/** A CRD of the API in a cluster, and every object of it. */
export interface LiveApi {
  readonly definition: KubernetesObject & Definition;
  readonly objects: readonly KubernetesObject[];
}

/** Who has written an object through a version, and would do so again: their files say it. */
export interface Writer {
  readonly object: string;
  readonly manager: string;
}

/** The CRDs of the API that a cluster has, with their objects. */
export async function readLiveApis(client: Pick<Client, 'get' | 'listAll'>): Promise<readonly LiveApi[]> {
  const found = await Promise.all(
    STACK_TYPES.map(async (type) => {
      const [definition] = await optional(client.get(DEFINITIONS, { name: `${type.plural}.${GROUP}` }));
      if (definition === undefined) return [];
      const live = definition as KubernetesObject & Definition;
      return [{ definition: live, objects: await client.listAll({ ...type, version: storageOf(live) }) }];
    }),
  );
  return found.flat();
}

/** The versions that objects may be stored in. */
export function storedVersions({ definition }: LiveApi): readonly string[] {
  return definition.status?.storedVersions ?? [storageOf(definition)];
}

/** Who writes through a version. The operator is not among them: it writes through the version that it was built for. */
export function writersThrough({ definition, objects }: LiveApi, version: string): readonly Writer[] {
  const apiVersion = `${definition.spec.group}/${version}`;
  return objects.flatMap((object) => {
    const entries = object.metadata.managedFields ?? [];
    const through = entries.filter((entry) => entry.apiVersion === apiVersion && entry.subresource === undefined);
    return [...new Set(through.map(({ manager }) => manager))].map((manager) => ({
      object: describeObject(object),
      manager,
    }));
  });
}

/**
 * Writes every object as it is, which stores it in the version that the API server stores now, and then says so in the definition. Returns the
 * versions that nothing is stored in any more. Nothing is trimmed if one object could not be written.
 */
export async function rewriteStored(client: Pick<Client, 'update'>, live: LiveApi): Promise<readonly string[]> {
  const { definition, objects } = live;
  const storage = storageOf(definition);
  const earlier = storedVersions(live).filter((version) => version !== storage);
  if (earlier.length === 0) return [];
  const { names } = definition.spec;
  const type = { group: definition.spec.group, version: storage, ...names, namespaced: true };
  const problems: Problem[] = [];
  for (const object of objects) {
    await client.update(type, { ...object, apiVersion: apiVersionOf(type) }).catch((error: unknown) => {
      // Somebody else has written it since it was read, or it is gone: either way nothing of before is stored.
      if (isConflict(error) || isNotFound(error)) return;
      const remedy = 'Change it so that the API server takes it, and run the command again.';
      problems.push({ object: describeObject(object), path: '', message: messageOf(error), remedy });
    });
  }
  refuse(problems);
  // With the resourceVersion that was read: if the definition has changed meanwhile, nothing here is known to hold.
  await client.update(
    DEFINITIONS,
    { ...definition, status: { ...definition.status, storedVersions: [storage] } },
    'status',
  );
  return earlier;
}

function storageOf({ spec }: Definition): string {
  return spec.versions.find(({ storage }) => storage)?.name ?? '';
}

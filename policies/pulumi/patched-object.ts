import { pathOf, type Client } from '../../packages/kube/client/client.ts';
import type { ResourceType } from '../../packages/kube/object.ts';
import { known, ObjectReader } from '../knowledge/objects/object-reader.ts';

/** A patched object: the parts of its URL. */
interface PatchedRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/**
 * The object that a patch changes, as the cluster has it. Undefined if it does not exist or may not be read: then the
 * patch is judged by itself, and what it leaves out counts as unknown.
 */
export async function readPatched(client: Pick<Client, 'raw'>, patch: ObjectReader): Promise<ObjectReader | undefined> {
  const ref = known(() => refOf(patch));
  if (ref === undefined || ref.name === '') return undefined;
  try {
    const type = await typeOf(client, ref);
    if (type === undefined) return undefined;
    return new ObjectReader(await client.raw(pathOf(type, ref.namespace, ref.name)));
  } catch {
    return undefined;
  }
}

function refOf(patch: ObjectReader): PatchedRef {
  const { apiVersion, kind } = patch;
  const [namespace = 'default', name = ''] = ['namespace', 'name'].map((key) => patch.text('metadata', key));
  return { apiVersion, kind, name, namespace };
}

/** Only the cluster knows the name of a kind in URLs, and whether its objects are in namespaces. */
async function typeOf(
  client: Pick<Client, 'raw'>,
  { apiVersion, kind }: PatchedRef,
): Promise<ResourceType | undefined> {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const answer = await client.raw(group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`);
  const resources = new ObjectReader(answer).list('resources');
  // A subresource, such as its status, is of the same kind.
  const found = resources.find((each) => each.text('kind') === kind && each.text('name')?.includes('/') === false);
  const plural = found?.text('name');
  if (plural === undefined || version === undefined) return undefined;
  return { group, version, kind, plural, namespaced: found?.flag('namespaced') === true };
}

import { readPackages } from '../../components/catalog/read-catalog.ts';
import { contentPath, isSelected } from '../../components/catalog/served-catalog.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { GROUP } from '../../packages/api/constants.ts';
import { messageOf } from '../../packages/lib/error.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import type { ResourceType } from '../../packages/kube/object.ts';
import { filterOf } from '../knowledge/olm/extension.ts';
import type { ClusterFacts, KnownCatalog } from '../knowledge/facts.ts';
import { known, ObjectReader } from '../knowledge/objects/object-reader.ts';
import { CATALOGS, DEFINITIONS, EXTENSIONS } from '../../components/olm/resource-types.ts';

/** The read-only part of the client. */
export type ReadClient = Pick<Client, 'listAll' | 'raw'>;

/** What rules need to know about a cluster. A cluster without OLM has no extensions, which is fine. */
export async function readCluster(client: ReadClient, packages: readonly string[]): Promise<ClusterFacts> {
  const [extensions, catalogs, definitions] = await Promise.all([
    listOrNone(client, EXTENSIONS),
    listOrNone(client, CATALOGS),
    listOrNone(client, DEFINITIONS),
  ]);
  const filters = extensions.map(filterOf).filter(({ packageName }) => packages.includes(packageName));
  // Public catalogs are large, so only those that an extension of the fleet uses are read.
  const isWanted = (catalog: KnownCatalog): boolean => filters.some((filter) => isSelected(filter, catalog));
  return {
    extensions,
    definitions: definitions.filter((definition) => definition.text('spec', 'group') === GROUP),
    catalogs: await Promise.all(
      catalogs.map(async (object) => {
        const catalog = describeCatalog(object);
        return isWanted(catalog) ? await readContent(client, catalog, object) : catalog;
      }),
    ),
  };
}

/** Everything of a kind; nothing when the cluster does not know the kind. */
export async function listOrNone(client: ReadClient, type: ResourceType): Promise<ObjectReader[]> {
  const objects = await optional(client.listAll(type));
  return objects.map((object) => new ObjectReader(object));
}

/** A ClusterCatalog without its content. */
export function describeCatalog(object: ObjectReader): KnownCatalog {
  const name = object.text('metadata', 'name') ?? '';
  const serving = object.list('status', 'conditions').find((condition) => condition.text('type') === 'Serving');
  const image = known(() => object.text('spec', 'source', 'image', 'ref'));
  const mode = object.text('spec', 'availabilityMode');
  return {
    name,
    labels: Object.fromEntries(object.entries('metadata', 'labels').map(([key, value]) => [key, value.text() ?? ''])),
    priority: object.number('spec', 'priority') ?? 0,
    packages: [],
    isKnown: false,
    ...(image === undefined ? {} : { image }),
    ...(mode === undefined ? {} : { availabilityMode: mode }),
    ...(serving?.text('status') === 'False' ? { failure: `catalog "${name}" is not being served` } : {}),
  };
}

/** When one catalog does not answer, the rest of the cluster is still judged. */
async function readContent(client: ReadClient, catalog: KnownCatalog, object: ObjectReader): Promise<KnownCatalog> {
  const base = object.text('status', 'urls', 'base');
  if (base === undefined || catalog.failure !== undefined) return catalog;
  try {
    const text = await client.raw(contentPath(base));
    return typeof text === 'string' ? { ...catalog, packages: readPackages([text]), isKnown: true } : catalog;
  } catch (error) {
    return { ...catalog, unread: messageOf(error) };
  }
}

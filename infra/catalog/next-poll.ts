import { CATALOGS } from '../../components/olm/resource-types.ts';
import { isByDigest } from '../../components/registry/reference.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { valueAt } from '../../packages/lib/json.ts';
import type { Settings } from '../config/schema.ts';

export interface NextPollRequest {
  readonly catalog: Settings['catalog'];
  /** Asks the cluster. */
  readonly ask: <T>(question: (client: Pick<Client, 'get'>) => Promise<T>) => Promise<T>;
  /** What a tag stands for now. */
  readonly pin: (image: string) => Promise<string>;
  readonly warn: (message: string) => void;
}

/**
 * Whether OLM will install what was planned only some time after this run: catalogd serves what the catalog's tag stood for before, and looks
 * again when its interval is over. A change of the ClusterCatalog would make it look at once, but there is none.
 */
export async function isUpToNextPoll({ catalog, ask, pin, warn }: NextPollRequest): Promise<boolean> {
  const { source, name, image, pollMinutes } = catalog;
  if (source !== 'image' || image === undefined || isByDigest(image)) return false;
  const [live] = await ask((client) => optional(client.get(CATALOGS, { name })));
  if (valueAt(live?.['spec'], 'source', 'image', 'ref') !== image) return false;
  const served = valueAt(live?.['status'], 'resolvedSource', 'image', 'ref');
  if (typeof served !== 'string' || digestOf(served) === digestOf(await pin(image))) return false;
  warn(
    `ClusterCatalog ${name}: ${image} is newer than what OLM serves. catalogd looks behind the tag every ${pollMinutes} minutes, and then OLM installs what was planned; this run does not wait for it.`,
  );
  return true;
}

function digestOf(image: string): string | undefined {
  return image.split('@').at(1);
}

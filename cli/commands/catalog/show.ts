import type { Catalog } from '../../../components/catalog/fbc.ts';
import { readCatalog, readPackages } from '../../../components/catalog/read-catalog.ts';
import { contentPath } from '../../../components/catalog/served-catalog.ts';
import { offeredVersions } from '../../../components/catalog/summary.ts';
import { CATALOGS } from '../../../components/olm/resource-types.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';
import { ApiError } from '../../../packages/kube/client/api-error.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import { describeObject, type KubernetesObject } from '../../../packages/kube/object.ts';
import { type ClusterChoice, withCluster } from '../../cluster-options.ts';
import type { Io } from '../../io.ts';
import { textAt } from '../../../packages/lib/json.ts';
import { table } from '../../status/table.ts';

/** The options of `fleet catalog show`. */
export interface CatalogShowOptions extends ClusterChoice {
  readonly name?: string | undefined;
  readonly package: string;
  readonly output: 'table' | 'json';
}

/** Shows packages, channels and versions as a running catalogd serves them. */
export async function run(options: CatalogShowOptions, io: Io): Promise<number> {
  const { name, package: packageName, output, ...cluster } = options;
  await withCluster(cluster, io, async (client) => {
    if (name === undefined) return showAll(client, { packageName, output }, io);
    const served = await client.get(CATALOGS, { name }).catch((error: unknown) => refuseUnread(name, error));
    const catalog = readCatalog([await readServed(client, served)], packageName, describeObject(served));
    io.out(output === 'json' ? asJson([{ catalog, name }]) : describe(catalog, name));
  });
  return 0;
}

/** What is shown of each catalog, and how. */
interface Shown extends Pick<CatalogShowOptions, 'output'> {
  readonly packageName: string;
}

/** A package, and the ClusterCatalog that has it. */
interface Named {
  readonly catalog: Catalog;
  readonly name: string;
}

function asJson(shown: readonly Named[]): string {
  const found = shown.map(({ catalog, name }) => ({
    catalog: name,
    package: catalog.package.name,
    versions: offeredVersions(catalog),
  }));
  return `${JSON.stringify(found, undefined, 2)}\n`;
}

/** A cluster may have other people's catalogs, which may lack our package or not work. */
async function showAll(client: Client, { packageName, output }: Shown, io: Io): Promise<void> {
  const catalogs = await client.listAll(CATALOGS);
  if (catalogs.length === 0) {
    io.out(output === 'json' ? asJson([]) : 'The cluster has no ClusterCatalog.\n');
    return;
  }
  const shown: Named[] = [];
  for (const served of catalogs) {
    const content = await readServed(client, served).catch((error: unknown) => {
      if (!(error instanceof ProblemsError)) throw error;
      io.err(`${error.message}\n`);
    });
    const packages = content === undefined ? [] : readPackages([content]);
    const catalog = packages.find((each) => each.package.name === packageName);
    if (catalog === undefined) continue;
    shown.push({ catalog, name: served.metadata.name });
  }
  if (shown.length > 0) {
    io.out(output === 'json' ? asJson(shown) : shown.map(({ catalog, name }) => describe(catalog, name)).join(''));
    return;
  }
  const names = catalogs.map(({ metadata }) => metadata.name).join(', ');
  const message = `is in none of the cluster's catalogs that can be read (${names})`;
  throw new ProblemsError([{ path: `package ${packageName}`, message, remedy: 'Name another one with --package.' }]);
}

/** What a catalog serves, at the address in its status: OLM may be installed in another namespace than usual. */
async function readServed(client: Client, catalog: KubernetesObject): Promise<string> {
  const base = textAt(catalog, 'status', 'urls', 'base');
  if (base === '') throw unread(catalog.metadata.name, 'it serves nothing yet');
  return asText(
    await client.raw(contentPath(base)).catch((error: unknown) => refuseUnread(catalog.metadata.name, error)),
  );
}

function refuseUnread(name: string, error: unknown): never {
  throw error instanceof ApiError ? unread(name, error.message.trim()) : error;
}

function unread(name: string, reason: string): ProblemsError {
  const remedy = '`kubectl get clustercatalogs` shows whether OLM is installed, and the catalog serving.';
  return new ProblemsError([
    { object: `ClusterCatalog ${name}`, path: '', message: `cannot be read: ${reason}`, remedy },
  ]);
}

function describe(catalog: Catalog, name: string): string {
  const rows = offeredVersions(catalog).map(({ channel, version, head, deprecated, image }) => [
    channel,
    version,
    [...(head ? ['head'] : []), ...(deprecated ? ['deprecated'] : [])].join(', '),
    image,
  ]);
  const heading = `${catalog.package.name} in ClusterCatalog ${name}`;
  return `${heading}\n\n${table(['CHANNEL', 'VERSION', 'NOTE', 'BUNDLE'], rows)}\n`;
}

/** One JSON document a line; a catalog of one line arrives parsed. */
function asText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

import { embeddedCluster } from '../../../cluster/embedded/environment.ts';
import { PACKAGE } from '../../../components/bundle/operator-names.ts';
import { readCatalog } from '../../../components/catalog/read-catalog.ts';
import { offeredVersions } from '../../../components/catalog/summary.ts';
import { ProblemsError } from '../../../controller/src/problem.ts';
import { ApiError } from '../../../controller/src/runtime/api-error.ts';
import { Client } from '../../../controller/src/runtime/client.ts';
import { CATALOGS } from '../../../components/olm/resource-types.ts';
import type { Catalog } from '../../../components/catalog/fbc.ts';
import { loadConnection } from '../../../controller/src/runtime/kubeconfig.ts';
import type { Io } from '../../io.ts';
import { parseOptions } from '../../options.ts';
import { table } from '../../status/table.ts';

const USAGE = `Usage: fleet catalog show [--name CATALOG] [--package NAME] [--kubeconfig FILE] [--context NAME]

  --name CATALOG     ClusterCatalog to ask; all of them without it
  --package NAME     package to list (${PACKAGE})
  --kubeconfig FILE  cluster to ask; without it KUBECONFIG, the embedded cluster, ~/.kube/config in this order`;

const OPTIONS = {
  name: { type: 'string' },
  package: { type: 'string', default: PACKAGE },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
} as const;

/** catalogd is reached through the API server, so that whoever can reach the cluster can ask it. */
const CATALOGD = '/api/v1/namespaces/olmv1-system/services/https:catalogd-service:443/proxy';

/** Shows packages, channels and versions as a running catalogd serves them. */
export async function run(args: string[], io: Io): Promise<number> {
  const { name, package: packageName, context, ...values } = parseOptions(args, OPTIONS, USAGE);
  const kubeconfig = values.kubeconfig ?? io.env['KUBECONFIG'] ?? embeddedCluster()?.kubeconfig;
  const client = new Client(await loadConnection({ kubeconfig, context, env: io.env }));
  try {
    const names = name === undefined ? await catalogNames(client) : [name];
    if (names.length === 0) io.out('The cluster has no ClusterCatalog.\n');
    for (const catalog of names) io.out(describe(await readServed(client, catalog, packageName), catalog));
    return 0;
  } finally {
    client.close();
  }
}

async function catalogNames(client: Client): Promise<string[]> {
  const catalogs = await client.listAll(CATALOGS);
  return catalogs.map(({ metadata }) => metadata.name).sort();
}

async function readServed(client: Client, name: string, packageName: string): Promise<Catalog> {
  try {
    const content = await client.raw(`${CATALOGD}/catalogs/${encodeURIComponent(name)}/api/v1/all`);
    return readCatalog([asText(content)], packageName, `ClusterCatalog ${name}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const remedy = 'Is OLM installed, and is the catalog Serving? kubectl get clustercatalogs shows.';
    const message = `cannot be read: ${error.message.trim()}`;
    throw new ProblemsError([{ object: `ClusterCatalog ${name}`, path: '', message, remedy }]);
  }
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

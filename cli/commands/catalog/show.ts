import { embeddedCluster } from '../../../cluster/embedded/environment.ts';
import { PACKAGE } from '../../../components/bundle/operator-names.ts';
import { readCatalog } from '../../../components/catalog/read-catalog.ts';
import { offeredVersions } from '../../../components/catalog/summary.ts';
import { ProblemsError } from '../../../controller/src/problem.ts';
import { ApiError } from '../../../controller/src/runtime/api-error.ts';
import { Client } from '../../../controller/src/runtime/client.ts';
import { loadConnection } from '../../../controller/src/runtime/kubeconfig.ts';
import type { Io } from '../../io.ts';
import { parseOptions } from '../../options.ts';
import { table } from '../../status/table.ts';

const USAGE = `Usage: fleet catalog show [--name CATALOG] [--package NAME] [--kubeconfig FILE] [--context NAME]

  --name CATALOG     ClusterCatalog to ask (inference-stack-catalog)
  --package NAME     package to list (${PACKAGE})
  --kubeconfig FILE  cluster to ask; without it KUBECONFIG, the embedded cluster, ~/.kube/config in this order`;

const OPTIONS = {
  name: { type: 'string', default: 'inference-stack-catalog' },
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
    const content = await client.raw(`${CATALOGD}/catalogs/${encodeURIComponent(name)}/api/v1/all`);
    const offered = offeredVersions(readCatalog([asText(content)], packageName, `ClusterCatalog ${name}`));
    const rows = offered.map(({ channel, version, head, deprecated, image }) => [
      channel,
      version,
      [...(head ? ['head'] : []), ...(deprecated ? ['deprecated'] : [])].join(', '),
      image,
    ]);
    io.out(`${packageName} in ClusterCatalog ${name}\n\n${table(['CHANNEL', 'VERSION', 'NOTE', 'BUNDLE'], rows)}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const remedy = 'Is OLM installed, and is the catalog Serving? kubectl get clustercatalogs shows.';
    throw new ProblemsError([
      { object: `ClusterCatalog ${name}`, path: '', message: `cannot be read: ${error.message}`, remedy },
    ]);
  } finally {
    client.close();
  }
}

/** One JSON document a line; a catalog of one line arrives parsed. */
function asText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

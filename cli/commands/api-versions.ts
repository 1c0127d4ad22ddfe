import {
  readLiveApis,
  rewriteStored,
  storedVersions,
  writersThrough,
  type LiveApi,
} from '../../components/api/stored-versions.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { type ClusterChoice, withCluster } from '../cluster-options.ts';
import type { Io } from '../io.ts';
import { table } from '../status/table.ts';

/** The options of `fleet api-versions`. */
export interface ApiVersionsOptions extends ClusterChoice {
  readonly rewrite?: boolean | undefined;
}

/** So many writers of a version are named; the others are counted. */
const NAMED = 5;

/** Shows which versions of the API a cluster serves, stores, and has written objects through. */
export async function run({ rewrite = false, ...cluster }: ApiVersionsOptions, io: Io): Promise<number> {
  await withCluster(cluster, io, async (client) => {
    if (rewrite) await rewriteAll(client, io);
    const apis = await readLiveApis(client);
    io.out(apis.length === 0 ? 'The cluster does not have the API.\n' : apis.map(describe).join('\n'));
  });
  return 0;
}

async function rewriteAll(client: Client, io: Io): Promise<void> {
  for (const api of await readLiveApis(client)) {
    const trimmed = await rewriteStored(client, api);
    const { kind } = api.definition.spec.names;
    if (trimmed.length > 0) io.out(`Nothing of ${kind} is stored in ${trimmed.join(', ')} any more.\n`);
  }
}

function describe(api: LiveApi): string {
  const stored = storedVersions(api);
  const rows = api.definition.spec.versions.map(({ name, served, storage }) => [
    name,
    served ? 'yes' : 'no',
    storage ? 'yes' : stored.includes(name) ? 'from before' : 'no',
    writers(api, name),
  ]);
  const heading = `${api.definition.spec.names.kind}: ${api.objects.length}`;
  return `${heading}\n\n${table(['VERSION', 'SERVED', 'STORED', 'WRITTEN THROUGH BY'], rows)}`;
}

function writers(api: LiveApi, version: string): string {
  const found = writersThrough(api, version).map(({ object, manager }) => `${object} (${manager})`);
  const rest = found.length - NAMED;
  return [...found.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ') || '-';
}

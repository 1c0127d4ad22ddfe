import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { codeOf } from '../../lib/error.ts';
import { ProblemsError, refuse } from '../../lib/problem.ts';
import { readYaml } from '../../lib/read-yaml.ts';
import { readTextFile } from '../../lib/text-file.ts';
import { isEmpty } from '../../lib/values.ts';
import { inClusterConnection, tokenFromFile, type Connection, type Environment } from './connection.ts';
import { credentialFromExec } from './exec-credential.ts';
import { impersonationHeaders } from './impersonation.ts';
import { pemOf } from './kubeconfig-files.ts';
import { readShape } from './kubeconfig-shape.ts';
import {
  clusterProblems,
  execCluster,
  userProblems,
  type Cluster,
  type Kubeconfig,
  type User,
  type Where,
} from './kubeconfig-entries.ts';
import { tokenFromOidc } from './oidc-token.ts';
import { environmentProxy } from './proxy.ts';

/** A file of the list, and what is in it. */
interface KubeconfigFile {
  readonly path: string;
  readonly config: Kubeconfig;
}

/** Where an entry is. */
interface Place extends Where {
  readonly file: string;
  readonly name: string;
}

export interface ConnectionOptions {
  /** Path of a kubeconfig; otherwise $KUBECONFIG, then the pod's own account, then ~/.kube/config. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly env?: Environment | undefined;
}

/** Finds the cluster in the order in which operators and kubectl look for it. */
export async function loadConnection(options: ConnectionOptions = {}): Promise<Connection> {
  const env = options.env ?? process.env;
  const listed = options.kubeconfig ?? env['KUBECONFIG'];
  if (listed !== undefined && listed !== '') return kubeconfigConnection(listed.split(delimiter), options.context, env);
  if (env['KUBERNETES_SERVICE_HOST'] !== undefined) return inClusterConnection(env);
  return kubeconfigConnection([join(homedir(), '.kube', 'config')], options.context, env);
}

/** Reads kubeconfig files; of two entries with one name the first wins, and missing files are skipped, as in kubectl. */
async function kubeconfigConnection(
  paths: readonly string[],
  chosenContext: string | undefined,
  env: Environment,
): Promise<Connection> {
  const read = await Promise.all(paths.filter((path) => path !== '').map(readKubeconfig));
  const files = read.filter((file) => file !== undefined);
  const where = paths.join(delimiter);
  if (files.length === 0) throw noFile(where);
  const name = chosenContext ?? files.find(({ config }) => config['current-context'])?.config['current-context'] ?? '';
  const context = entry(where, 'contexts', name, files);
  const chosen = said(context.place, 'context', context.found.context);
  const { place, found } = entry(where, 'clusters', chosen.cluster, files);
  const cluster = said(place, 'cluster', found.cluster);
  const owner = isEmpty(chosen.user) ? undefined : entry(where, 'users', chosen.user ?? '', files);
  const user = owner?.found.user ?? {};
  refuse([...clusterProblems(place, cluster), ...(owner === undefined ? [] : userProblems(owner.place, user))]);
  const at = owner?.place ?? place;
  const ca = await pemOf(cluster, 'certificate-authority', place);
  return {
    server: new URL(cluster.server),
    ca,
    serverName: cluster['tls-server-name'],
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'],
    namespace: chosen.namespace,
    cert: await pemOf(user, 'client-certificate', at),
    key: await pemOf(user, 'client-key', at),
    headers: { ...basicAuthorization(user), ...impersonationHeaders(user) },
    proxyAgent: await proxyAgentFor(cluster, env),
    credential: owner === undefined ? undefined : credentialOf(user, owner.place, cluster, ca),
  };
}

type Entry<K extends 'contexts' | 'clusters' | 'users'> = NonNullable<Kubeconfig[K]>[number];

/** An entry, and which of the files has it. */
function entry<K extends 'contexts' | 'clusters' | 'users'>(
  where: string,
  list: K,
  name: string,
  files: readonly KubeconfigFile[],
): { found: Entry<K>; place: Place } {
  const entries = files.flatMap(({ path, config }) =>
    (config[list] ?? []).map((found: Entry<K>) => ({
      found,
      place: { object: `kubeconfig ${path}`, path: `${list}["${found.name}"]`, file: path, name: found.name },
    })),
  );
  const known = entries.map(({ found }) => found.name);
  const first = entries.find(({ found }) => found.name === name);
  if (first === undefined) throw missing(where, list, name, known);
  return first;
}

/** What an entry says, which the chosen one has to. */
function said<T>({ object, path }: Place, part: string, value: T | null | undefined): T {
  if (value !== null && value !== undefined) return value;
  const remedy = 'Compare it with what `kubectl config view` shows.';
  throw new ProblemsError([{ object, path: `${path}.${part}`, message: 'is missing', remedy }]);
}

function missing(where: string, list: string, name: string, known: readonly string[]): ProblemsError {
  const problem = { object: `kubeconfig ${where}`, path: list };
  const remedy = known.length === 0 ? 'The list is empty.' : `It has: ${[...new Set(known)].sort().join(', ')}.`;
  if (list === 'contexts' && name === '') {
    const choose = `${remedy} Choose one with \`kubectl config use-context\`.`;
    return new ProblemsError([{ ...problem, path: 'current-context', message: 'is not set', remedy: choose }]);
  }
  return new ProblemsError([{ ...problem, value: name, message: 'has no entry of this name', remedy }]);
}

function noFile(where: string): ProblemsError {
  const remedy = 'Name one with KUBECONFIG or --kubeconfig.';
  return new ProblemsError([{ object: `kubeconfig ${where}`, path: '', message: 'there is no such file', remedy }]);
}

function credentialOf(user: User, place: Place, cluster: Cluster, ca: string | undefined): Connection['credential'] {
  const { token, tokenFile, exec, 'auth-provider': provider } = user;
  if (tokenFile !== undefined && tokenFile !== '') return tokenFromFile(tokenFile);
  if (!isEmpty(token)) return () => Promise.resolve({ token });
  if (!isEmpty(provider)) return tokenFromOidc(() => readIdToken(place), place);
  if (exec === undefined) return undefined;
  return credentialFromExec(exec.provideClusterInfo === true ? { ...exec, cluster: execCluster(cluster, ca) } : exec);
}

/** The token as it is in the file now: kubectl may have renewed it. */
async function readIdToken({ file, name }: Place): Promise<string> {
  const users = (await readKubeconfig(file))?.config.users ?? [];
  const user = users.find((candidate) => candidate.name === name)?.user;
  return user?.['auth-provider']?.config?.['id-token'] ?? '';
}

function basicAuthorization({ username, password = '' }: User): Record<string, string> {
  if (username === undefined || username === '') return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

async function proxyAgentFor(cluster: Cluster, env: Environment): Promise<Connection['proxyAgent']> {
  const server = new URL(cluster.server);
  const proxy = cluster['proxy-url'] || environmentProxy(server, env);
  if (proxy === undefined) return undefined;
  const { proxyAgent } = await import('./proxy-agent.ts');
  return (options) => proxyAgent(new URL(proxy), server, options);
}

async function readKubeconfig(path: string): Promise<KubeconfigFile | undefined> {
  const text = await readIfExists(path);
  if (text === undefined) return undefined;
  const object = `kubeconfig ${path}`;
  const config = readShape(readYaml(text, object) ?? {}, object);
  // Paths in a kubeconfig are relative to the file that names them.
  const makeAbsolute = <F extends string>(entry: Partial<Record<F, string>>, fields: readonly F[]): void => {
    for (const field of fields) {
      const target = entry[field];
      if (target !== undefined) entry[field] = resolve(dirname(path), target);
    }
  };
  for (const { cluster } of config.clusters ?? []) makeAbsolute(cluster ?? {}, ['certificate-authority']);
  for (const { user } of config.users ?? []) {
    if (user === null || user === undefined) continue;
    makeAbsolute(user, ['client-certificate', 'client-key', 'tokenFile']);
    // A name without a slash is looked up on PATH.
    if (user.exec?.command.includes('/') === true) user.exec.command = resolve(dirname(path), user.exec.command);
  }
  return { path, config };
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path, `kubeconfig ${path}`);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { codeOf } from '../error.ts';
import { ProblemsError } from '../problem.ts';
import { readYaml } from '../read-yaml.ts';
import { inClusterConnection, tokenFromFile, type Connection } from './connection.ts';
import { tokenFromExec, type ExecConfig } from './exec-credential.ts';

interface Cluster {
  server: string;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'tls-server-name'?: string;
}

interface User {
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  'client-key'?: string;
  'client-key-data'?: string;
  token?: string;
  tokenFile?: string;
  exec?: ExecConfig;
}

interface Context {
  cluster: string;
  user: string;
  namespace?: string;
}

interface Kubeconfig {
  'current-context'?: string;
  clusters?: { name: string; cluster: Cluster }[] | null;
  users?: { name: string; user: User | null }[] | null;
  contexts?: { name: string; context: Context }[] | null;
}

export interface ConnectionOptions {
  /** Path of a kubeconfig; otherwise $KUBECONFIG, then the pod's own account, then ~/.kube/config. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Finds the cluster in the order in which operators and kubectl look for it. */
export async function loadConnection(options: ConnectionOptions = {}): Promise<Connection> {
  const env = options.env ?? process.env;
  const listed = options.kubeconfig ?? env['KUBECONFIG'];
  if (listed !== undefined && listed !== '') return kubeconfigConnection(listed.split(delimiter), options.context);
  if (env['KUBERNETES_SERVICE_HOST'] !== undefined) return inClusterConnection(env);
  return kubeconfigConnection([join(homedir(), '.kube', 'config')], options.context);
}

/** Reads kubeconfig files; of two entries with one name the first wins, and files that are not there are passed over, as in kubectl. */
async function kubeconfigConnection(paths: readonly string[], context?: string): Promise<Connection> {
  const read = await Promise.all(paths.filter((path) => path !== '').map(readKubeconfig));
  const files = read.filter((file) => file !== undefined);
  const where = paths.join(delimiter);
  if (files.length === 0) throw noFile(where);
  const name = context ?? files.find((file) => file['current-context'])?.['current-context'] ?? '';
  const chosen = entry(where, 'contexts', name, files).context;
  const { cluster } = entry(where, 'clusters', chosen.cluster, files);
  const user = entry(where, 'users', chosen.user, files).user ?? {};
  return {
    server: new URL(cluster.server),
    ca: await inlineOrFile(cluster['certificate-authority-data'], cluster['certificate-authority']),
    serverName: cluster['tls-server-name'],
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'],
    namespace: chosen.namespace,
    cert: await inlineOrFile(user['client-certificate-data'], user['client-certificate']),
    key: await inlineOrFile(user['client-key-data'], user['client-key']),
    token: tokenSource(user),
  };
}

function entry<K extends 'contexts' | 'clusters' | 'users'>(
  where: string,
  list: K,
  name: string,
  files: readonly Kubeconfig[],
): NonNullable<Kubeconfig[K]>[number] {
  const entries = files.flatMap((file): NonNullable<Kubeconfig[K]>[number][] => file[list] ?? []);
  const found = entries.find((candidate) => candidate.name === name);
  if (found === undefined)
    throw missing(
      where,
      list,
      name,
      entries.map((each) => each.name),
    );
  return found;
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

function tokenSource(user: User): Connection['token'] {
  const { token, tokenFile, exec } = user;
  if (tokenFile !== undefined) return tokenFromFile(tokenFile);
  if (token !== undefined) return () => Promise.resolve(token);
  return exec === undefined ? undefined : tokenFromExec(exec);
}

async function readKubeconfig(path: string): Promise<Kubeconfig | undefined> {
  const text = await readIfExists(path);
  if (text === undefined) return undefined;
  const file = (readYaml(text, `kubeconfig ${path}`) ?? {}) as Kubeconfig;
  const absolute = (target: string | undefined): string | undefined =>
    target === undefined ? undefined : resolve(dirname(path), target);
  // Paths in a kubeconfig are relative to the file that names them.
  for (const { cluster } of file.clusters ?? []) {
    cluster['certificate-authority'] = absolute(cluster['certificate-authority']);
  }
  for (const { user } of file.users ?? []) {
    if (user === null) continue;
    user['client-certificate'] = absolute(user['client-certificate']);
    user['client-key'] = absolute(user['client-key']);
    user.tokenFile = absolute(user.tokenFile);
  }
  return file;
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function inlineOrFile(data: string | undefined, path: string | undefined): Promise<string | undefined> {
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  return path === undefined ? undefined : readFile(path, 'utf8');
}

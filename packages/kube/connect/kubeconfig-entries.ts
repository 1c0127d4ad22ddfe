import { isEmpty } from '../../lib/values.ts';
import type { Problem } from '../../lib/problem.ts';
import type { ExecCluster, ExecConfig } from './exec-credential.ts';

/** The parts of a kubeconfig that kubectl goes by. */
export interface Kubeconfig {
  'current-context'?: string;
  clusters?: { name: string; cluster: Cluster }[] | null;
  users?: { name: string; user: User | null }[] | null;
  contexts?: { name: string; context: Context }[] | null;
}

export interface Cluster {
  server: string;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'tls-server-name'?: string;
  'proxy-url'?: string;
  extensions?: { name: string; extension: unknown }[] | null;
}

export interface User {
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  'client-key'?: string;
  'client-key-data'?: string;
  token?: string;
  tokenFile?: string;
  exec?: ExecConfig;
  as?: string;
  'as-uid'?: string;
  'as-groups'?: string[] | null;
  'as-user-extra'?: Record<string, string[]> | null;
  'auth-provider'?: { name?: string } | null;
  username?: string;
  password?: string;
}

export interface Context {
  cluster: string;
  user: string;
  namespace?: string;
}

/** Which entry of which file problems are about. */
export type Where = Required<Pick<Problem, 'object' | 'path'>>;

const DIRECTLY =
  'Run `kubectl proxy`, which uses it, and name a kubeconfig whose server is http://127.0.0.1:8001, ' +
  'or one that reaches the API server directly.';
const OTHER_USER = 'Use a token, a client certificate or a credential plugin (exec).';

/** What kubectl goes by in a cluster's entry, and what would be passed over here in silence. */
export function clusterProblems(where: Where, { 'proxy-url': proxy }: Cluster): Problem[] {
  const message = 'is not supported: requests would not go through the proxy';
  // The address of a proxy may hold a password.
  const value = proxy?.replace(/\/\/[^/]*@/, '//***@');
  return unlessEmpty(proxy, where, 'proxy-url', { value, message, remedy: DIRECTLY });
}

/** The same of a user's entry, and rights that would be those of nobody in particular. */
export function userProblems(where: Where, user: User): Problem[] {
  const { 'auth-provider': provider, username, password, exec } = user;
  const unsupported = { message: 'is not supported', remedy: OTHER_USER };
  const belonging = [user['as-uid'], user['as-groups'], user['as-user-extra']];
  const nameless = isEmpty(user.as) ? belonging.find((value) => !isEmpty(value)) : undefined;
  const unsendable = sentAs(user).find((text) => /[^\x20-\x7e]/.test(text));
  const mode = exec?.interactiveMode === 'Always' ? exec.interactiveMode : undefined;
  return [
    ...unlessEmpty(provider, where, 'auth-provider', { value: provider?.name, ...unsupported }),
    ...unlessEmpty(username, where, 'username', { value: username, ...unsupported }),
    ...unlessEmpty(password, where, 'password', unsupported),
    ...unlessEmpty(mode, where, 'exec.interactiveMode', {
      value: mode,
      message: 'is not supported: nobody is asked anything here',
      remedy: 'Log in with kubectl first, and use a plugin that remembers it.',
    }),
    ...unlessEmpty(nameless, where, 'as', {
      message: 'is missing, though as-uid, as-groups or as-user-extra is set',
      remedy: 'Name the user to act as, or leave out all four.',
    }),
    // Node sends other characters in one way or another, depending on what else it sends.
    ...unlessEmpty(unsendable, where, 'as', {
      value: unsendable,
      message: 'and what belongs to it become headers, which hold nothing but ASCII',
      remedy: 'Act as a user and groups with names in ASCII.',
    }),
  ];
}

function sentAs(user: User): string[] {
  const extra = Object.values(user['as-user-extra'] ?? {}).flat();
  return [user.as ?? '', user['as-uid'] ?? '', ...(user['as-groups'] ?? []), ...extra];
}

function unlessEmpty(
  given: unknown,
  where: Where,
  field: string,
  problem: Omit<Problem, 'object' | 'path'>,
): Problem[] {
  return isEmpty(given) ? [] : [{ object: where.object, path: `${where.path}.${field}`, ...problem }];
}

/** What a credential plugin is told of the cluster where it asks for that. */
export function execCluster(cluster: Cluster, ca: string | undefined): ExecCluster {
  const extension = (cluster.extensions ?? []).find(({ name }) => name === 'client.authentication.k8s.io/exec');
  const { server, 'tls-server-name': serverName, 'insecure-skip-tls-verify': isInsecure } = cluster;
  return {
    server,
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
    ...(isInsecure === undefined ? {} : { 'insecure-skip-tls-verify': isInsecure }),
    ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(extension === undefined ? {} : { config: extension.extension }),
  };
}

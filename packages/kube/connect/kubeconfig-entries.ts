import { definedOnly, isEmpty } from '../../lib/values.ts';
import type { Problem } from '../../lib/problem.ts';
import { isInteractive, type ExecCluster, type ExecConfig } from './exec-credential.ts';
import { PROXY_SCHEMES } from './proxy.ts';

/** The parts of a kubeconfig that kubectl uses. */
export interface Kubeconfig {
  'current-context'?: string;
  clusters?: { name: string; cluster?: Cluster | null }[] | null;
  users?: { name: string; user?: User | null }[] | null;
  contexts?: { name: string; context?: Context | null }[] | null;
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
  'auth-provider'?: { name?: string; config?: Record<string, string> | null } | null;
  username?: string;
  password?: string;
}

export interface Context {
  cluster: string;
  user?: string;
  namespace?: string;
}

/** Which entry of which file problems are about. */
export type Where = Required<Pick<Problem, 'object' | 'path'>>;

/** Problems of a cluster's entry that would otherwise be ignored, or fail with a message that names no place. */
export function clusterProblems(where: Where, { server, 'proxy-url': proxy }: Cluster): Problem[] {
  const schemes = ['http', 'https'];
  return [
    ...(isUrl(server, schemes) ? [] : urlProblem(where, 'server', server, schemes)),
    ...(isEmpty(proxy) || isUrl(proxy, PROXY_SCHEMES) ? [] : urlProblem(where, 'proxy-url', proxy, PROXY_SCHEMES)),
  ];
}

function isUrl(value: unknown, schemes: readonly string[]): boolean {
  return typeof value === 'string' && schemes.some((scheme) => value.startsWith(`${scheme}://`)) && URL.canParse(value);
}

function urlProblem(where: Where, field: string, given: string | undefined, schemes: readonly string[]): Problem[] {
  const remedy = `Write the scheme as well; supported are ${schemes.map((scheme) => `${scheme}://`).join(', ')}.`;
  const path = `${where.path}.${field}`;
  return [{ object: where.object, path, value: withoutPassword(given), message: 'is not a usable URL', remedy }];
}

/** The address of a proxy may hold a password. */
function withoutPassword(url: unknown): unknown {
  return typeof url === 'string' ? url.replace(/\/\/[^/]*@/, '//***@') : url;
}

/** The same for a user's entry, and impersonation that names no user. */
export function userProblems(where: Where, user: User): Problem[] {
  const { 'auth-provider': provider, username, token, tokenFile, exec } = user;
  const belonging = [user['as-uid'], user['as-groups'], user['as-user-extra']];
  const nameless = isEmpty(user.as) ? belonging.find((value) => !isEmpty(value)) : undefined;
  const unsendable = sentAs(user).find((text) => /[^\x20-\x7e]/.test(text));
  const mode = exec?.interactiveMode === 'Always' && !isInteractive(exec) ? exec.interactiveMode : undefined;
  return [
    ...unlessEmpty(provider?.name === 'oidc' ? undefined : provider, where, 'auth-provider', {
      value: provider?.name,
      message: 'is not supported, and kubectl no longer supports it either',
      remedy: 'Use a token, a client certificate, a credential plugin (exec) or the provider oidc.',
    }),
    ...unlessEmpty(isEmpty(token) && isEmpty(tokenFile) ? undefined : username, where, 'username', {
      value: username,
      message: 'is set together with a token, but a request carries only one of them',
      remedy: 'Leave out one of them.',
    }),
    ...unlessEmpty(mode, where, 'exec.interactiveMode', {
      value: mode,
      message: 'needs a terminal, and there is none here',
      remedy: 'Log in with kubectl first, and use a plugin that remembers it.',
    }),
    ...unlessEmpty(nameless, where, 'as', {
      message: 'is missing, though as-uid, as-groups or as-user-extra is set',
      remedy: 'Name the user to act as, or leave out all four.',
    }),
    // How Node encodes other characters depends on what else it sends.
    ...unlessEmpty(unsendable, where, 'as', {
      value: unsendable,
      message: 'must be ASCII, and so must its uid, groups and extra, because they become headers',
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

/** What a credential plugin gets to know about the cluster if it asks for that. */
export function execCluster(cluster: Cluster, ca: string | undefined): ExecCluster {
  const extension = (cluster.extensions ?? []).find(({ name }) => name === 'client.authentication.k8s.io/exec');
  const { server, 'tls-server-name': serverName, 'insecure-skip-tls-verify': isInsecure, 'proxy-url': proxy } = cluster;
  return definedOnly({
    server,
    'proxy-url': isEmpty(proxy) ? undefined : proxy,
    'tls-server-name': serverName,
    'insecure-skip-tls-verify': isInsecure,
    'certificate-authority-data': ca === undefined ? undefined : Buffer.from(ca).toString('base64'),
    config: extension?.extension,
  });
}

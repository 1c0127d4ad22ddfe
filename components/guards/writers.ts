import { names } from '../../packages/lib/message.ts';

/** Who may write ClusterExtensions and ClusterCatalogs, by the names that the API server knows people by. */
export interface Writers {
  /** Users, and ServiceAccounts by their names as users. */
  readonly users: readonly string[];
  readonly groups: readonly string[];
  /** Whoever ran `pulumi up` without being listed, so that nobody locks themselves out. */
  readonly appliers: readonly string[];
}

/** Somebody as the API server sees them. */
export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}

/** What a writer has to look like, in words. */
export const WRITER_FORM = '`User <name>`, `Group <name>` or `ServiceAccount <namespace>/<name>`';

const WRITER = /^(?:(User|Group) (\S(?:.*\S)?)|ServiceAccount ([a-z0-9-]+)\/([a-z0-9.-]+))$/;

/** Groups and users that mean everybody, or every pod: a list with one of them refuses nobody. */
export const EVERYBODY: readonly string[] = [
  'Group system:authenticated',
  'Group system:unauthenticated',
  'Group system:serviceaccounts',
  'User system:anonymous',
];

export function isWriter(text: string): boolean {
  return WRITER.test(text);
}

/** The name of a ServiceAccount as a user. */
export function accountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The writers that a list names, and whoever applies it, unless the list admits them already. */
export function writersOf(listed: readonly string[], applier?: Identity): Writers {
  const parsed = listed.flatMap((text) => parse(text) ?? []);
  const named = (kind: Named['kind']): string[] => [
    ...new Set(parsed.filter((writer) => writer.kind === kind).map(({ name }) => name)),
  ];
  const writers = { users: named('User').sort(), groups: named('Group').sort(), appliers: [] };
  if (applier === undefined || admits(writers, applier)) return writers;
  return { ...writers, appliers: [applier.username] };
}

/** Whether somebody is among the writers, as the guard decides it in the API server. */
export function admits({ users, groups, appliers }: Writers, { username, groups: memberOf }: Identity): boolean {
  return [...users, ...appliers].includes(username) || groups.some((group) => memberOf.includes(group));
}

/** `Group platform, ServiceAccount ci/deployer`, as settings list them; beyond a limit, the rest is counted. */
export function describeWriters({ users, groups, appliers }: Writers): string {
  const all = [...groups.map((name) => `Group ${name}`), ...[...users, ...appliers].map(describeUser)];
  return all.length === 0 ? 'nobody' : names(all);
}

/** How a list names a user. */
export function describeUser(username: string): string {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  return namespace === undefined || name === undefined ? `User ${username}` : `ServiceAccount ${namespace}/${name}`;
}

interface Named {
  readonly kind: 'User' | 'Group';
  readonly name: string;
}

function parse(text: string): Named | undefined {
  const [, kind, name, namespace, account] = WRITER.exec(text) ?? [];
  if (namespace !== undefined && account !== undefined) return { kind: 'User', name: accountUser(namespace, account) };
  return name === undefined ? undefined : { kind: kind === 'Group' ? 'Group' : 'User', name };
}

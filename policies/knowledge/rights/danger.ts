import { isSystemNamespace } from '../../../components/guards/system-namespaces.ts';
import { known, type ObjectReader } from '../objects/object-reader.ts';
import { knownWords } from './rbac.ts';

/** Verbs on resources of a group. */
export interface Right {
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Rights that lead to more than they grant. Without a group or resources, all of them count. */
interface Danger extends Pick<Right, 'verbs'>, Partial<Omit<Right, 'verbs'>> {
  /** What the verbs apply to, shown when a rule grants every verb. */
  readonly about?: Omit<Right, 'verbs'>;
  /** Dangerous only beyond the namespace of a team. */
  readonly isWide?: boolean;
  /** Harmless if the rule names its objects. */
  readonly isBoundByNames?: boolean;
  /** What it does, said after `it`. */
  readonly why: (place: string) => string;
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const MORE_RIGHTS = (): string => 'lets the holder take more rights';
const ANY_POD = (place: string): string => `gives the holder the rights of every pod in ${place}`;
const ANYBODY = (): string => 'makes certificates in the name of anybody';

const ROLES = { group: 'rbac.authorization.k8s.io', resources: ['clusterroles', 'roles'] };
const PEOPLE = { group: '', resources: ['users', 'groups', 'serviceaccounts'] };

const DANGERS: readonly Danger[] = [
  { verbs: ['bind'], about: ROLES, why: MORE_RIGHTS },
  { verbs: ['escalate'], about: ROLES, why: MORE_RIGHTS },
  { verbs: ['impersonate'], about: PEOPLE, why: MORE_RIGHTS },
  { group: '', resources: ['serviceaccounts/token'], verbs: ['create'], why: MORE_RIGHTS },
  { group: '', resources: ['nodes/proxy'], verbs: ['get', 'create'], why: MORE_RIGHTS },
  {
    group: '',
    resources: ['secrets'],
    verbs: READ,
    isWide: true,
    isBoundByNames: true,
    why: (place) => `shows the Secrets of ${place}`,
  },
  { group: '', resources: ['pods/exec', 'pods/attach'], verbs: ['get', 'create'], isWide: true, why: ANY_POD },
  { group: '', resources: ['pods/ephemeralcontainers'], verbs: ['update', 'patch'], isWide: true, why: ANY_POD },
  {
    group: 'admissionregistration.k8s.io',
    resources: [
      'mutatingwebhookconfigurations',
      'validatingwebhookconfigurations',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
    ],
    verbs: WRITE,
    isBoundByNames: true,
    why: () => 'decides what the cluster admits',
  },
  {
    group: 'certificates.k8s.io',
    resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
    verbs: ['update', 'patch'],
    why: ANYBODY,
  },
  { group: 'certificates.k8s.io', resources: ['signers'], verbs: ['approve', 'sign'], why: ANYBODY },
];

/** The dangerous rights that a rule of a role grants. Each is judged on its own, since any value may be unknown. */
export function dangersIn(role: ObjectReader, rule: ObjectReader): (() => readonly string[])[] {
  return DANGERS.flatMap((danger) =>
    grants(rule, danger).map((what) => () => {
      const place = danger.isWide === true ? wideReach(role) : '';
      const isBound = danger.isBoundByNames === true && rule.list('resourceNames').length > 0;
      return place === undefined || isBound ? [] : [`${what} in ${rule.path}: it ${danger.why(place)}`];
    }),
  );
}

const MAKE = ['create', 'update', 'patch'];

/** Whoever makes a pod chooses its account, and whoever changes one chooses what it runs. */
const WORKLOADS: readonly Right[] = [
  { group: '', resources: ['pods', 'replicationcontrollers'], verbs: MAKE },
  { group: 'apps', resources: ['deployments', 'daemonsets', 'replicasets', 'statefulsets'], verbs: MAKE },
  { group: 'batch', resources: ['cronjobs', 'jobs'], verbs: MAKE },
];

/**
 * What a rule grants that lets its holder take the rights of others: of anybody, or of the accounts in the binding's
 * namespace. Wildcards are expanded.
 */
export function takesRights(rule: ObjectReader, isOfCluster: boolean): string[] {
  const more = DANGERS.filter(({ why }) => why === MORE_RIGHTS).flatMap((danger) => leadsTo(rule, danger));
  return isOfCluster ? more : [...more, ...reachesPods(rule)];
}

/** What a rule grants that lets its holder take the rights of the pods that it reaches. Wildcards are expanded. */
export function reachesPods(rule: ObjectReader): string[] {
  return [...DANGERS.filter(({ isWide }) => isWide === true), ...WORKLOADS].flatMap((danger) => leadsTo(rule, danger));
}

function leadsTo(rule: ObjectReader, danger: Pick<Danger, keyof Right | 'about' | 'isBoundByNames'>): string[] {
  const { group = '', resources = [], verbs, about, isBoundByNames } = danger;
  if (isBoundByNames === true && rule.list('resourceNames').length > 0) return [];
  return grantsThrough(rule, { group, resources, verbs, ...about });
}

/** `create, patch on clusterextensions`, and `* on *` where a rule says so, which is the same and more. */
export function grantsThrough(rule: ObjectReader, { group, resources, verbs }: Right): string[] {
  const granted = knownWords(rule, 'verbs').filter((verb) => covers(verb, verbs));
  const opened = knownWords(rule, 'resources').filter((resource) => covers(resource, resources));
  const isOfGroup = known(() => rule.strings('apiGroups').some((each) => covers(each, [group]))) ?? true;
  return granted.length > 0 && isOfGroup ? opened.map((resource) => `${granted.join(', ')} on ${resource}`) : [];
}

/** Whether a word of a rule stands for one of these: `*` for every one, and `*`, a slash and a part for that part of each. */
function covers(word: string, wanted: readonly string[]): boolean {
  if (word === '*' || wanted.includes(word)) return true;
  return word.startsWith('*/') && wanted.some((each) => each.endsWith(word.slice(1)));
}

/** How far a role reaches; undefined if that is only the namespace of a team. */
export function wideReach(role: ObjectReader): string | undefined {
  if (role.kind.startsWith('Cluster')) return 'every namespace';
  const namespace = role.text('metadata', 'namespace') ?? '';
  return isSystemNamespace(namespace) ? `namespace ${namespace}, which is for the system` : undefined;
}

/** `get, list on secrets`. An unknown group may be any group. */
function grants(rule: ObjectReader, { group, resources, verbs }: Danger): string[] {
  const granted = knownWords(rule, 'verbs')
    .filter((verb) => verbs.includes(verb))
    .join(', ');
  if (granted === '') return [];
  if (resources === undefined) return [granted];
  const isOfGroup = known(() => rule.strings('apiGroups').includes(group ?? '')) ?? true;
  const opened = knownWords(rule, 'resources').filter((resource) => resources.includes(resource));
  return isOfGroup ? opened.map((resource) => `${granted} on ${resource}`) : [];
}

import { isSystemNamespace } from '../../components/guards/system-namespaces.ts';
import { known, type ObjectReader } from './object-reader.ts';
import { knownWords } from './rbac.ts';

/** Rights with which somebody comes by more than they say. */
interface Danger {
  /** The API group of the resources; without it every group counts. */
  readonly group?: string;
  /** Without them every resource counts. */
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
  /** Whether it is one only where it reaches beyond the namespace of a team. */
  readonly isWide?: boolean;
  /** Whether it is none where the rule names the objects. */
  readonly isBoundByNames?: boolean;
  /** What it does, said after `it`. */
  readonly why: (place: string) => string;
}

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const MORE_RIGHTS = (): string => 'lets the holder take more rights';
const ANY_POD = (place: string): string => `gives the holder the rights of every pod in ${place}`;
const ANYBODY = (): string => 'makes certificates in the name of anybody';

const DANGERS: readonly Danger[] = [
  { verbs: ['bind'], why: MORE_RIGHTS },
  { verbs: ['escalate'], why: MORE_RIGHTS },
  { verbs: ['impersonate'], why: MORE_RIGHTS },
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

/** What a rule of a role grants that is dangerous there, as judgements of their own: any of the values may be unknown. */
export function dangersIn(role: ObjectReader, rule: ObjectReader): (() => readonly string[])[] {
  return DANGERS.flatMap((danger) =>
    grants(rule, danger).map((what) => () => {
      const place = danger.isWide === true ? wideReach(role) : '';
      const isBound = danger.isBoundByNames === true && rule.list('resourceNames').length > 0;
      return place === undefined || isBound ? [] : [`${what} in ${rule.path}: it ${danger.why(place)}`];
    }),
  );
}

/** Where a role reaches, if that is beyond the namespace of a team. */
export function wideReach(role: ObjectReader): string | undefined {
  if (role.kind.startsWith('Cluster')) return 'every namespace';
  const namespace = role.text('metadata', 'namespace') ?? '';
  return isSystemNamespace(namespace) ? `namespace ${namespace}, which is for the system` : undefined;
}

/** `get, list on secrets`. Of a group that is not known, any may be meant. */
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

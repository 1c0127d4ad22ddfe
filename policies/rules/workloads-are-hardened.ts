import { ADVISORY_IN_DEV } from '../core/levels.ts';
import type { ObjectReader } from '../core/object-reader.ts';
import { CONTAINER_LISTS, containersOf, podSpecOf } from '../core/pod-template.ts';
import type { Container } from '../core/pod-template.ts';
import { attempt, judge, words } from '../core/rule.ts';
import type { Finding, ObjectRule, Subject } from '../core/rule.ts';

export const workloadsAreHardened: ObjectRule = {
  scope: 'object',
  name: 'workloads-are-hardened',
  title: 'Hardened workloads',
  description: 'Pods run as non-root without a way up, with bounded resources, probes and a tag that says what runs.',
  severity: 'high',
  levels: ADVISORY_IN_DEV,
  remedy: 'Set the security context, resources and probes that the message names, and leave the node alone.',
  settings: {
    exemptNamespaces: {
      type: 'array',
      items: { type: 'string' },
      default: ['olmv1-system', 'kube-system'],
      description: "Namespaces of other people's workloads.",
    },
  },
  check: (subject, _facts, settings) => {
    const podSpec = podSpecOf(subject.object);
    if (podSpec === undefined) return [];
    const namespace = subject.object.text('metadata', 'namespace') ?? '';
    if (words(settings, 'exemptNamespaces').includes(namespace)) return [];
    return [...judgePod(subject, podSpec), ...judgeContainers(subject, podSpec)];
  },
};

type Check = (container: Container, podSpec: ObjectReader, kind: string) => string | undefined;

/** Each says what a container should do, and is judged on its own, since any of the values may be unknown. */
const CHECKS: readonly Check[] = [
  ({ object }, pod) =>
    (object.flag('securityContext', 'runAsNonRoot') ?? pod.flag('securityContext', 'runAsNonRoot')) === true
      ? undefined
      : 'should run as non-root (runAsNonRoot: true)',
  ({ object }) => (object.flag('securityContext', 'privileged') === true ? 'should not be privileged' : undefined),
  ({ object }) =>
    object.flag('securityContext', 'allowPrivilegeEscalation') === false
      ? undefined
      : 'should not allow privilege escalation (allowPrivilegeEscalation: false)',
  ({ object }) =>
    object.strings('securityContext', 'capabilities', 'drop').includes('ALL')
      ? undefined
      : 'should drop all capabilities (capabilities.drop: [ALL])',
  ({ object }) => {
    const added = object.strings('securityContext', 'capabilities', 'add').filter((name) => name !== HARMLESS);
    return added.length === 0 ? undefined : `should not add capabilities (${added.join(', ')})`;
  },
  ({ object }, pod) =>
    ['RuntimeDefault', 'Localhost'].includes(seccomp(object) ?? seccomp(pod) ?? '')
      ? undefined
      : 'should have a seccomp profile (seccompProfile.type: RuntimeDefault)',
  ({ object }) =>
    object.flag('securityContext', 'readOnlyRootFilesystem') === true
      ? undefined
      : 'should have a read-only root file system (readOnlyRootFilesystem: true)',
  ({ object }) =>
    object.has('resources', 'requests', 'cpu') ? undefined : 'should request CPU (resources.requests.cpu)',
  ({ object }) =>
    object.has('resources', 'requests', 'memory') ? undefined : 'should request memory (resources.requests.memory)',
  ({ object }) =>
    object.has('resources', 'limits', 'memory') ? undefined : 'should limit its memory (resources.limits.memory)',
  ({ object, isInit }, _pod, kind) =>
    isInit || RUNS_TO_END.includes(kind) || object.has('livenessProbe') ? undefined : 'should have a liveness probe',
  ({ object, isInit }, _pod, kind) =>
    isInit || RUNS_TO_END.includes(kind) || object.has('readinessProbe') ? undefined : 'should have a readiness probe',
  ({ object }) => (isFloating(object.text('image') ?? '') ? 'should not use the tag latest' : undefined),
];

/** Lets a process that is not root's listen on a low port, and no more. */
const HARMLESS = 'NET_BIND_SERVICE';

/** A container that ends by itself has nothing to probe. */
const RUNS_TO_END: readonly string[] = ['Job', 'CronJob'];

/** What leads from a pod to its node, however well its containers are locked up. */
const HOST_NAMESPACES = ['hostNetwork', 'hostPID', 'hostIPC'] as const;

function judgePod(subject: Subject, podSpec: ObjectReader): Finding[] {
  const shared = HOST_NAMESPACES.flatMap((field) =>
    judge(subject, () =>
      podSpec.flag(field) === true
        ? [`${subject.title} should not share a namespace of its node (${field}: true).`]
        : [],
    ),
  );
  const mounted = attempt(subject, () =>
    podSpec
      .list('volumes')
      .flatMap((volume) =>
        judge(subject, () =>
          volume.has('hostPath')
            ? [
                `${subject.title} should not mount a folder of its node (volume ${volume.text('name') ?? ''}: hostPath).`,
              ]
            : [],
        ),
      ),
  );
  return [...shared, ...mounted];
}

function judgeContainers(subject: Subject, podSpec: ObjectReader): Finding[] {
  const containers = (list: (typeof CONTAINER_LISTS)[number]): Finding[] =>
    containersOf(podSpec, list).flatMap((container) => judgeContainer(subject, podSpec, container));
  return CONTAINER_LISTS.flatMap((list) => attempt(subject, () => containers(list)));
}

function judgeContainer(subject: Subject, podSpec: ObjectReader, container: Container): Finding[] {
  return CHECKS.flatMap((check) =>
    judge(subject, () => {
      const problem = check(container, podSpec, subject.object.kind);
      return problem === undefined ? [] : [`${subject.title}: container ${container.name} ${problem}.`];
    }),
  );
}

function seccomp(holder: ObjectReader): string | undefined {
  return holder.text('securityContext', 'seccompProfile', 'type');
}

/** No tag and no digest means `latest`, too. */
function isFloating(image: string): boolean {
  if (image.includes('@')) return false;
  const tag = /:([\w.-]+)$/.exec(image)?.[1];
  return tag === undefined || tag === 'latest';
}

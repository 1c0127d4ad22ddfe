import { CONTAINER_CHECKS, fieldOf } from '../knowledge/objects/container-checks.ts';
import { ADVISORY_IN_DEV } from '../knowledge/levels.ts';
import type { ObjectReader } from '../knowledge/objects/object-reader.ts';
import { CONTAINER_LISTS, containersOf, podSpecOf } from '../knowledge/objects/pod-template.ts';
import type { Container } from '../knowledge/objects/pod-template.ts';
import { attempt, judge, words } from '../knowledge/rule.ts';
import type { Finding, ObjectRule, Subject } from '../knowledge/rule.ts';

export const workloadsAreHardened: ObjectRule = {
  scope: 'object',
  name: 'workloads-are-hardened',
  title: 'Hardened workloads',
  description:
    'Pods run as non-root, cannot gain privileges, and have bounded resources, probes and a tag other than latest.',
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
    if (subject.isMade !== true && words(settings, 'exemptNamespaces').includes(namespace)) return [];
    return [...judgePod(subject, podSpec), ...judgeContainers(subject, podSpec)];
  },
};

/** Ways from a pod to its node, no matter how well its containers are locked down. */
const HOST_NAMESPACES = ['hostNetwork', 'hostPID', 'hostIPC'] as const;

function judgePod(subject: Subject, podSpec: ObjectReader): Finding[] {
  const { title } = subject;
  const shared = HOST_NAMESPACES.flatMap((field) => {
    const message = `${title} should not share a namespace of its node (${field}: true).`;
    return judge(subject, () => (podSpec.flag(field) === true ? [message] : []), `${podSpec.path}.${field}`);
  });
  return [
    ...shared,
    ...attempt(subject, () => podSpec.list('volumes').flatMap((volume) => judgeVolume(subject, volume))),
  ];
}

function judgeVolume(subject: Subject, volume: ObjectReader): Finding[] {
  const judgement = (): string[] => {
    if (!volume.has('hostPath')) return [];
    return [`${subject.title} should not mount a folder of its node (volume ${volume.text('name') ?? ''}: hostPath).`];
  };
  return judge(subject, judgement, `${volume.path}.hostPath`);
}

function judgeContainers(subject: Subject, podSpec: ObjectReader): Finding[] {
  const containers = (list: (typeof CONTAINER_LISTS)[number]): Finding[] =>
    containersOf(podSpec, list).flatMap((container) => judgeContainer(subject, podSpec, container));
  return CONTAINER_LISTS.flatMap((list) => attempt(subject, () => containers(list)));
}

function judgeContainer(subject: Subject, podSpec: ObjectReader, container: Container): Finding[] {
  return CONTAINER_CHECKS.flatMap((check) => {
    const judgement = (): string[] => {
      const problem = check.problem(container, podSpec, subject.object.kind);
      return problem === undefined ? [] : [`${subject.title}: container ${container.name} ${problem}.`];
    };
    return judge(subject, judgement, fieldOf(check, container, podSpec));
  });
}

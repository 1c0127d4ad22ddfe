import { known, type ObjectReader } from './object-reader.ts';
import type { Container } from './pod-template.ts';

/** One thing that a container should do, judged on its own, since any of the values may be unknown. */
export interface ContainerCheck {
  /** The keys of what to change. */
  readonly field: readonly string[];
  /** Whether the pod can set it for the container. The container's own value wins. */
  readonly isOfPod?: boolean;
  /** What the container should do; undefined if it does. */
  readonly problem: (container: Container, pod: ObjectReader, kind: string) => string | undefined;
}

/** Only lets a non-root process listen on a low port. */
const HARMLESS = 'NET_BIND_SERVICE';

/** A container that ends by itself has nothing to probe. */
const RUNS_TO_END: readonly string[] = ['Job', 'CronJob'];

export const CONTAINER_CHECKS: readonly ContainerCheck[] = [
  {
    field: ['securityContext', 'runAsNonRoot'],
    isOfPod: true,
    problem: ({ object }, pod) =>
      (object.flag('securityContext', 'runAsNonRoot') ?? pod.flag('securityContext', 'runAsNonRoot')) === true
        ? undefined
        : 'should run as non-root (runAsNonRoot: true)',
  },
  {
    field: ['securityContext', 'privileged'],
    problem: ({ object }) =>
      object.flag('securityContext', 'privileged') === true ? 'should not be privileged' : undefined,
  },
  {
    field: ['securityContext', 'allowPrivilegeEscalation'],
    problem: ({ object }) =>
      object.flag('securityContext', 'allowPrivilegeEscalation') === false
        ? undefined
        : 'should not allow privilege escalation (allowPrivilegeEscalation: false)',
  },
  {
    field: ['securityContext', 'capabilities', 'drop'],
    problem: ({ object }) =>
      object.strings('securityContext', 'capabilities', 'drop').includes('ALL')
        ? undefined
        : 'should drop all capabilities (capabilities.drop: [ALL])',
  },
  {
    field: ['securityContext', 'capabilities', 'add'],
    problem: ({ object }) =>
      addedCapabilities(object) === '' ? undefined : `should not add capabilities (${addedCapabilities(object)})`,
  },
  {
    field: ['securityContext', 'seccompProfile', 'type'],
    isOfPod: true,
    problem: ({ object }, pod) =>
      ['RuntimeDefault', 'Localhost'].includes(seccomp(object) ?? seccomp(pod) ?? '')
        ? undefined
        : 'should have a seccomp profile (seccompProfile.type: RuntimeDefault)',
  },
  {
    field: ['securityContext', 'readOnlyRootFilesystem'],
    problem: ({ object }) =>
      object.flag('securityContext', 'readOnlyRootFilesystem') === true
        ? undefined
        : 'should have a read-only root file system (readOnlyRootFilesystem: true)',
  },
  bounded(['resources', 'requests', 'cpu'], 'should request CPU'),
  bounded(['resources', 'requests', 'memory'], 'should request memory'),
  bounded(['resources', 'limits', 'memory'], 'should limit its memory'),
  probed('livenessProbe', 'should have a liveness probe'),
  probed('readinessProbe', 'should have a readiness probe'),
  {
    field: ['image'],
    problem: ({ object }) => (isFloating(object.text('image') ?? '') ? 'should not use the tag latest' : undefined),
  },
];

/** The path of what to change about a container. */
export function fieldOf({ field, isOfPod }: ContainerCheck, { object }: Container, pod: ObjectReader): string {
  const says = known(() => object.has(...field)) ?? true;
  const holder = isOfPod === true && !says ? pod : object;
  return [holder.path, ...field].join('.');
}

function bounded(field: readonly string[], message: string): ContainerCheck {
  return {
    field,
    problem: ({ object }) => (object.has(...field) ? undefined : `${message} (${field.join('.')})`),
  };
}

function probed(field: string, message: string): ContainerCheck {
  return {
    field: [field],
    problem: ({ object, isInit }, _pod, kind) =>
      isInit || RUNS_TO_END.includes(kind) || object.has(field) ? undefined : message,
  };
}

function addedCapabilities(container: ObjectReader): string {
  const added = container.strings('securityContext', 'capabilities', 'add');
  return added.filter((name) => name !== HARMLESS).join(', ');
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

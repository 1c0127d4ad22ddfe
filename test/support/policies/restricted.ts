import { listAt, objectsAt, textAt, valueAt, type OpenObject } from '../../../packages/lib/json.ts';

/** Volumes that pods of the restricted level may have. */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** What the restricted Pod Security Standard refuses in the spec of a pod on Linux; a test asks the API server whether it agrees. */
export function restrictedProblems(pod: OpenObject): string[] {
  const containers = ['initContainers', 'containers'].flatMap((list) => objectsAt(pod, list));
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => pod[field] === true);
  const volumes = objectsAt(pod, 'volumes').filter((volume) =>
    Object.keys(volume).some((key) => key !== 'name' && !VOLUMES.includes(key)),
  );
  return [
    ...shared,
    ...volumes.map((volume) => `volume ${textAt(volume, 'name')}`),
    ...containers.flatMap((container) =>
      containerProblems(container, pod).map((problem) => `${textAt(container, 'name')}: ${problem}`),
    ),
  ];
}

function containerProblems(container: OpenObject, pod: OpenObject): string[] {
  const own = (...path: readonly string[]): unknown => valueAt(container, 'securityContext', ...path);
  /** The container's own value, or else the pod's. */
  const either = (...path: readonly string[]): unknown => own(...path) ?? valueAt(pod, 'securityContext', ...path);
  const added = listAt(container, 'securityContext', 'capabilities', 'add');
  const checks: Readonly<Record<string, boolean>> = {
    privileged: own('privileged') === true,
    allowPrivilegeEscalation: own('allowPrivilegeEscalation') !== false,
    'capabilities.drop': !listAt(container, 'securityContext', 'capabilities', 'drop').includes('ALL'),
    'capabilities.add': added.some((name) => name !== 'NET_BIND_SERVICE'),
    runAsNonRoot: either('runAsNonRoot') !== true,
    runAsUser: either('runAsUser') === 0,
    seccompProfile: !['RuntimeDefault', 'Localhost'].includes(String(either('seccompProfile', 'type'))),
    procMount: ![undefined, 'Default'].includes(own('procMount') as string | undefined),
    hostPort: objectsAt(container, 'ports').some(({ hostPort }) => hostPort !== undefined && hostPort !== 0),
  };
  return Object.keys(checks).filter((check) => checks[check]);
}

import { listAt, objectAt, valueAt, type OpenObject } from '../lib/json.ts';
import { overlay } from '../lib/values.ts';

/** Above the ids that machines give to people: whoever leaves the container is nobody there. Any other will do as well. */
const USER = 10_001;

/**
 * What pods get unless the user says otherwise, key by key: they pass the restricted Pod Security Standard. `container` is what the user
 * says of its container, and `initContainers` are the user's: where one of them is to be root, no default forbids it.
 */
export function hardenedPod(
  given: OpenObject | undefined,
  container?: OpenObject,
  initContainers: readonly OpenObject[] = [],
): OpenObject {
  const contexts = [given, container, ...initContainers.map((each) => each['securityContext'])];
  const isRoot = contexts.some((context) => valueAt(context, 'runAsUser') === 0);
  const defaults = {
    ...(isRoot ? {} : { runAsNonRoot: true }),
    runAsUser: USER,
    runAsGroup: USER,
    seccompProfile: { type: 'RuntimeDefault' },
  };
  return objectAt(overlay(defaults, given));
}

/** The same for a container. What it writes to are volumes. */
export function hardenedContainer(given: OpenObject | undefined): OpenObject {
  const defaults = {
    // The API server refuses the pod of a container that may do everything, and may not gain privileges.
    ...(isPrivileged(given) ? {} : { allowPrivilegeEscalation: false }),
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  };
  return objectAt(overlay(defaults, given));
}

function isPrivileged(given: OpenObject | undefined): boolean {
  const added = listAt(given, 'capabilities', 'add');
  return valueAt(given, 'privileged') === true || added.includes('CAP_SYS_ADMIN');
}

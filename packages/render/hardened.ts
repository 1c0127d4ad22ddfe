import { objectAt, type OpenObject } from '../lib/json.ts';
import { overlay } from '../lib/values.ts';

/** Above the ids that machines give to people: whoever leaves the container is nobody there. Any other will do as well. */
const USER = 10_001;

/** What pods get unless the user says otherwise, key by key: they pass the restricted Pod Security Standard. */
export function hardenedPod(given: OpenObject | undefined): OpenObject {
  const defaults = {
    runAsNonRoot: true,
    runAsUser: USER,
    runAsGroup: USER,
    seccompProfile: { type: 'RuntimeDefault' },
  };
  return objectAt(overlay(defaults, given));
}

/** The same for a container. What it writes to are volumes. */
export function hardenedContainer(given: OpenObject | undefined): OpenObject {
  const defaults = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  };
  return objectAt(overlay(defaults, given));
}

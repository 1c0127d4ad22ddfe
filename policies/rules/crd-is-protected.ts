import { isOurDefinition } from '../knowledge/objects/definition.ts';
import { PROD_ONLY } from '../knowledge/levels.ts';
import type { ObjectRule } from '../knowledge/rule.ts';

export const crdIsProtected: ObjectRule = {
  scope: 'object',
  name: 'crd-is-protected',
  title: 'The CRDs are protected',
  description: 'Pulumi refuses to delete the CRDs of the InferenceStack API.',
  severity: 'critical',
  levels: PROD_ONLY,
  remedy: 'Set the option protect: true, or in this project the setting api.protect.',
  check: (subject) => {
    const { object, protect, title, patch } = subject;
    // Only a program shows whether it protects an object; a cluster does not. Removing a patch leaves the CRD in place.
    if (protect !== false || patch !== undefined || !isOurDefinition(object)) return [];
    const message = `${title} should be protected: deleting it deletes every stack of every team.`;
    return [{ subject, message, kind: 'violation' }];
  },
};

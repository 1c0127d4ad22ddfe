import {
  GROUP,
  INFERENCE_STACK,
  MODEL_ORCHESTRA,
  OPERATOR_VERSION_LABEL,
  VERSIONS,
} from '../../packages/api/constants.ts';
import { OPERATOR_REQUEST } from '../../packages/api/operator-version.ts';
import { celList, celText, type Guard } from './policy.ts';
import { RESERVED, SYSTEM_NAMESPACES } from './system-namespaces.ts';

const LABEL = celText(OPERATOR_VERSION_LABEL);

/**
 * Refuses a stack that nobody would serve: no label, or a major without an operator. It checks a stack only when it is
 * created or its label changes, so that a stack whose operator is gone can still be edited and deleted.
 *
 * It also refuses stacks in system namespaces. A stack chooses the ServiceAccount of its pods, and the operator creates
 * them with its own rights: whoever may write stacks there could act as any account there.
 */
export function stackGuard(majors: readonly number[]): Guard {
  const served = [...majors].sort((a, b) => a - b);
  const names = served.map((major) => `v${major}`).join(', ');
  const remedy = `Operators of this cluster: ${names === '' ? 'none' : names}.`;
  return {
    name: 'inference-stack-fleet-stacks',
    resources: { apiGroup: GROUP, apiVersions: VERSIONS, plurals: [INFERENCE_STACK.plural, MODEL_ORCHESTRA.plural] },
    conditions: [
      {
        name: 'is-new-or-relabelled',
        expression: `request.operation == 'CREATE' || ${labelOf('object')} != ${labelOf('oldObject')}`,
      },
    ],
    variables: [
      { name: 'label', expression: labelOf('object') },
      { name: 'valid', expression: `variables.label.matches(${celText(OPERATOR_REQUEST)})` },
      { name: 'major', expression: "variables.valid ? variables.label.replace('v', '').split('.')[0] : ''" },
    ],
    validations: [
      {
        expression: `!(object.metadata.namespace in ${celList(SYSTEM_NAMESPACES)} || object.metadata.namespace.startsWith(${celText(RESERVED)}))`,
        messageExpression: `object.kind + ' ' + object.metadata.name + ' must not be in namespace ' + object.metadata.namespace + ', which is for the system: its pods could use the accounts there. Use a namespace of your own.'`,
      },
      {
        expression: "variables.label != ''",
        messageExpression: `object.kind + ' ' + object.metadata.name + ' has no label ${OPERATOR_VERSION_LABEL}, so no operator would serve it. ${remedy}'`,
      },
      {
        expression: "variables.label == '' || variables.valid",
        messageExpression: `object.kind + ' ' + object.metadata.name + ' has label ${OPERATOR_VERSION_LABEL}=' + variables.label + ', which is not a version. Use a major such as v3, or a least version such as 3.1. ${remedy}'`,
      },
      {
        expression: `!variables.valid || variables.major in ${celList(served.map(String))}`,
        messageExpression: `object.kind + ' ' + object.metadata.name + ' asks for an operator of major ' + variables.major + ' by its label ${OPERATOR_VERSION_LABEL}, but there is none. ${remedy}'`,
      },
    ],
  };
}

/** The label of an object; empty where there is none. */
function labelOf(object: string): string {
  return `(has(${object}.metadata.labels) && ${LABEL} in ${object}.metadata.labels ? ${object}.metadata.labels[${LABEL}] : '')`;
}

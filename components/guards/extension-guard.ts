import { OPERATOR_NAMESPACE, PACKAGE } from '../../packages/api/operator-names.ts';
import { ROLLBACK_ANNOTATION } from '../fleet/operator.ts';
import { celText, type Guard } from './policy.ts';

const NAME = `^${PACKAGE}-v(0|[1-9][0-9]*)$`;

/**
 * Holds every ClusterExtension of our package to one major. The name carries the major and a name exists once, so the
 * API server's own storage keeps a second operator of a major out, whoever applies it.
 */
export const EXTENSION_GUARD: Guard = {
  name: 'inference-stack-fleet-extensions',
  resources: { apiGroup: 'olm.operatorframework.io', apiVersions: ['*'], plurals: ['clusterextensions'] },
  conditions: [
    {
      name: 'is-of-our-package',
      expression: `has(object.spec.source.catalog) && object.spec.source.catalog.packageName == ${celText(PACKAGE)}`,
    },
    // An object that is being deleted only loses its finalizers.
    { name: 'is-not-being-deleted', expression: '!has(object.metadata.deletionTimestamp)' },
  ],
  variables: [
    { name: 'named', expression: `object.metadata.name.matches(${celText(NAME)})` },
    { name: 'suffix', expression: `variables.named ? object.metadata.name.substring(${PACKAGE.length}) : ''` },
    {
      name: 'channels',
      expression: 'has(object.spec.source.catalog.channels) ? object.spec.source.catalog.channels : []',
    },
    {
      name: 'policy',
      expression:
        "has(object.spec.source.catalog.upgradeConstraintPolicy) ? object.spec.source.catalog.upgradeConstraintPolicy : 'CatalogProvided'",
    },
    {
      name: 'rollback',
      expression: `has(object.metadata.annotations) && ${celText(ROLLBACK_ANNOTATION)} in object.metadata.annotations ? object.metadata.annotations[${celText(ROLLBACK_ANNOTATION)}] : ''`,
    },
    {
      name: 'version',
      expression: "has(object.spec.source.catalog.version) ? object.spec.source.catalog.version : ''",
    },
  ],
  validations: [
    {
      expression: 'variables.named',
      messageExpression: `'ClusterExtension ' + object.metadata.name + ' of package ${PACKAGE} must be named ${PACKAGE}-v<major>, so that there is one operator per major'`,
    },
    {
      expression: `!variables.named || (size(variables.channels) == 1 && variables.channels[0] in ['stable' + variables.suffix, 'fast' + variables.suffix, 'candidate' + variables.suffix])`,
      messageExpression: `'ClusterExtension ' + object.metadata.name + ' must follow exactly one channel of its major: stable' + variables.suffix + ', fast' + variables.suffix + ' or candidate' + variables.suffix`,
    },
    {
      expression: `object.spec.namespace == ${celText(OPERATOR_NAMESPACE)}`,
      messageExpression: `'ClusterExtension ' + object.metadata.name + ' must install into namespace ${OPERATOR_NAMESPACE}, where the Leases of operators are'`,
    },
    {
      expression: `variables.policy == 'CatalogProvided' || (variables.rollback != '' && variables.rollback == variables.version)`,
      messageExpression: `'ClusterExtension ' + object.metadata.name + ' may leave the upgrade graph only for a declared rollback: set annotation ${ROLLBACK_ANNOTATION} to the version that spec.source.catalog.version pins'`,
    },
  ],
};

import { MANAGED_BY } from '../../packages/api/labels.ts';
import { OPERATOR_NAMESPACE, operatorNames } from '../../packages/api/operator-names.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import { OLM_VERSION_ANNOTATION } from '../olm/versions.ts';
import type { PlainMetadata, PlainObject } from '../plain-object.ts';
import { ROLLBACK_ANNOTATION, type OperatorFilter } from './operator.ts';
import type { PlannedOperator } from './plan.ts';

/** An extension, in which what only a run can know is of another type than text. */
export interface ExtensionObject<Text> extends PlainObject<'olm.operatorframework.io/v1', 'ClusterExtension'> {
  readonly metadata: Omit<PlainMetadata, 'annotations'>;
  readonly spec: {
    readonly namespace: string;
    readonly serviceAccount?: { readonly name: Text };
    readonly source: { readonly sourceType: 'Catalog'; readonly catalog: OperatorFilter };
  };
}

/** The ClusterExtension of an operator. OLM installs it with the account, or with its own rights where there is none. */
export function extensionObject<Text>(
  { operator, filter }: Pick<PlannedOperator, 'operator' | 'filter'>,
  serviceAccount: Text | undefined,
): ExtensionObject<Text> {
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    metadata: { name: operatorNames(operator.major).operator, labels: MANAGED_BY },
    spec: {
      namespace: OPERATOR_NAMESPACE,
      ...(serviceAccount === undefined ? {} : { serviceAccount: { name: serviceAccount } }),
      source: { sourceType: 'Catalog', catalog: filter },
    },
  };
}

/** Annotations by which guards and waits know what an extension is written for. */
export function extensionAnnotations<Text>(
  { operator }: Pick<PlannedOperator, 'operator'>,
  extensionApi?: Text,
): Readonly<Record<string, Text | string>> {
  return definedOnly<Readonly<Record<string, Text | string | undefined>>>({
    [ROLLBACK_ANNOTATION]: operator.rollbackTo,
    [OLM_VERSION_ANNOTATION]: extensionApi,
  });
}

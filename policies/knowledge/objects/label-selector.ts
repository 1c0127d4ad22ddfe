import type { LabelSelector } from '../../../packages/kube/label-selector.ts';
import type { ObjectReader } from './object-reader.ts';

/** A Kubernetes label selector. */
export function selectorOf(selector: ObjectReader): LabelSelector {
  return {
    matchLabels: Object.fromEntries(selector.entries('matchLabels').map(([key, value]) => [key, value.text() ?? ''])),
    matchExpressions: selector.list('matchExpressions').map((expression) => ({
      key: expression.text('key') ?? '',
      operator: expression.text('operator') ?? '',
      values: expression.strings('values'),
    })),
  };
}

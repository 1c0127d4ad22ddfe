/** A label selector of the Kubernetes API. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Whether the labels are selected. No selector, and an empty one, select everything. */
export function selects(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return (
    equal && (selector?.matchExpressions ?? []).every((requirement) => holds(labels[requirement.key], requirement))
  );
}

/** Whether a label's value, if there is one, is as required. Only nodes are selected by numbers (`Gt`, `Lt`). */
export function holds(actual: string | undefined, { operator, values = [] }: LabelRequirement): boolean {
  switch (operator) {
    case 'In':
      return actual !== undefined && values.includes(actual);
    case 'NotIn':
      return actual === undefined || !values.includes(actual);
    case 'Exists':
      return actual !== undefined;
    case 'DoesNotExist':
      return actual === undefined;
    case 'Gt':
      return actual !== undefined && Number(actual) > Number(values[0]);
    case 'Lt':
      return actual !== undefined && Number(actual) < Number(values[0]);
    default:
      // The API server admits no other operator.
      return false;
  }
}

/** Selects what has these labels, in a list. */
export function labelSelector(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map((pair) => pair.join('='))
    .join(',');
}

import { labelSelector } from '../kube/label-selector.ts';

type Labels = Readonly<Record<string, string>>;

/** Says on every object which program looks after it, as Kubernetes recommends. */
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

/** On what this program makes. */
export const MANAGED_BY = { [MANAGED_BY_LABEL]: 'inference-stack-fleet' } as const;

/** On what an operator makes for a stack. */
export const MANAGED_BY_OPERATOR = { [MANAGED_BY_LABEL]: 'inference-stack-operator' } as const;

/** Whether an object was made by this program, or by another maker if one is given. */
export function isManaged(labels: Labels | undefined, by: Labels = MANAGED_BY): boolean {
  return Object.entries(by).every(([key, value]) => labels?.[key] === value);
}

/** Selects what this program made. */
export const MANAGED_BY_SELECTOR = labelSelector(MANAGED_BY);

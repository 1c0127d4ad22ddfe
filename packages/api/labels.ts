import { MANAGED_BY_LABEL } from './constants.ts';

/** Whose object this is, as everyone can see in the cluster. */
export const MANAGED_BY = { [MANAGED_BY_LABEL]: 'inference-stack-fleet' } as const;

/** Whether this program made an object. */
export function isManaged(labels: Readonly<Record<string, string>> | undefined): boolean {
  return Object.entries(MANAGED_BY).every(([key, value]) => labels?.[key] === value);
}

/** Selects what this program made, in a list. */
export const MANAGED_BY_SELECTOR = Object.entries(MANAGED_BY)
  .map((pair) => pair.join('='))
  .join(',');

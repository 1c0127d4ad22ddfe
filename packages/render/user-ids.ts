import type { OpenObject } from '../lib/json.ts';

const IDS: ReadonlySet<string> = new Set(['runAsUser', 'runAsGroup', 'fsGroup']);

/**
 * A pod's security context without the ids that are our defaults, for a platform that assigns ids and refuses others. Those that the user
 * gives stay, since an administrator may allow them. Everything else stays too, such as how a volume is handed over to the assigned group.
 */
export function withoutDefaultIds(context: OpenObject, given: OpenObject = {}): OpenObject {
  return Object.fromEntries(Object.entries(context).filter(([key]) => !IDS.has(key) || given[key] !== undefined));
}

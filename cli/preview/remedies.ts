import { PACK, KNOWN_IN_PREVIEW } from '../../policies/pulumi/policies.ts';
import { RULES } from '../../policies/rules/index.ts';

const REMEDIES = new Map([...RULES, KNOWN_IN_PREVIEW].map(({ name, remedy }) => [name, remedy]));

/** What to do about a finding of this project's policies. Pulumi's events name the policy but not the remedy. */
export function remedyOf(pack: string | undefined, policy: string): string | undefined {
  return pack === PACK ? REMEDIES.get(policy) : undefined;
}

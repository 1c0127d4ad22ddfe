import type { Ownership } from '../api/operator-version.ts';
import type { Claim } from '../api/types.ts';
import type { Problem } from '../problem.ts';

/** This operator, as it signs its claims. */
export interface Self {
  readonly major: number;
  readonly version: string;
  /** Name of the installation: `namespace/name`. */
  readonly operator: string;
}

/** What this operator is to do with a stack. */
export type ClaimDecision =
  | { readonly kind: 'act' }
  /** Nobody else acts on it: sign first, then act. */
  | { readonly kind: 'claim' }
  /** It was ours and is no longer: let go, once. */
  | { readonly kind: 'release' }
  /** Another major has not let go of it yet. */
  | { readonly kind: 'wait'; readonly holder: Claim }
  /** It is for us to say why nothing happens. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly problem: Problem }
  | { readonly kind: 'ignore' };

/** At any moment at most one major acts on a stack: the one whose unreleased claim the stack's status carries. */
export function decideClaim(
  ownership: Ownership | { readonly kind: 'unselected' },
  claim: Claim | undefined,
  self: Self,
): ClaimDecision {
  const held = claim !== undefined && claim.released !== true;
  const ours = held && claim.major === self.major;
  switch (ownership.kind) {
    case 'owned':
      if (held && !ours) return { kind: 'wait', holder: claim };
      return ours && claim.version === self.version && claim.operator === self.operator
        ? { kind: 'act' }
        : { kind: 'claim' };
    case 'foreign':
    case 'unselected':
      return ours ? { kind: 'release' } : { kind: 'ignore' };
    case 'too-old':
      return held && !ours
        ? { kind: 'ignore' }
        : { kind: 'refuse', reason: 'OperatorTooOld', problem: ownership.problem };
    case 'unlabelled':
      return ours ? { kind: 'refuse', reason: 'NoOperatorVersion', problem: ownership.problem } : { kind: 'ignore' };
    case 'invalid':
      return ours
        ? { kind: 'refuse', reason: 'InvalidOperatorVersion', problem: ownership.problem }
        : { kind: 'ignore' };
  }
}

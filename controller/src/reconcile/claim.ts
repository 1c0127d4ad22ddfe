import type { Ownership } from '../../../packages/api/operator-version.ts';
import type { Claim } from '../../../packages/api/types.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import type { LeaseRef } from '../../../packages/kube/lease/lease-watch.ts';
import { leaseName } from '../../../packages/api/operator-names.ts';

/** This operator, as it signs its claims. */
export interface Self {
  readonly major: number;
  readonly version: string;
  /** Name of the installation: `namespace/name`. */
  readonly operator: string;
  /** The Lease that this operator holds while it acts. */
  readonly lease: LeaseRef;
}

/** Another operator that keeps this one from a stack, for longer than a handover takes. */
export interface Rival {
  /** Name of its installation. */
  readonly operator: string;
  readonly lease: LeaseRef;
  /** Whether this operator may read that Lease; if not, it cannot tell whether the rival is still there. */
  readonly readable: boolean;
}

/** What this operator has to do with a stack. */
export type ClaimDecision =
  | { readonly kind: 'act' }
  /** Nobody else acts on it: sign first, then act. */
  | { readonly kind: 'claim' }
  /** It was ours and is no longer: release it, once. */
  | { readonly kind: 'release' }
  /** The holder of another Lease has not let go of it yet: another major, or another installation of ours. */
  | { readonly kind: 'wait'; readonly holder: Claim }
  /** This operator has to say why nothing happens. */
  | { readonly kind: 'refuse'; readonly reason: string; readonly problem: Problem }
  | { readonly kind: 'ignore' };

/**
 * At any moment at most one operator acts on a stack: the holder of the Lease that the unreleased claim in the stack's status names.
 * A claim under our own Lease is never in the way: its signer no longer holds the Lease, because we do.
 */
export function decideClaim(
  ownership: Ownership | { readonly kind: 'unselected' },
  claim: Claim | undefined,
  self: Self,
): ClaimDecision {
  const held = claim !== undefined && claim.released !== true;
  const ours = held && isSame(leaseOf(claim, self), self.lease);
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

/** The Lease under which a claim was made. A claim that names none comes from the operators' common namespace, as ours does. */
export function leaseOf({ lease, major }: Claim, self: Self): LeaseRef {
  return lease ?? { namespace: self.lease.namespace, name: leaseName(major) };
}

function isSame(one: LeaseRef, other: LeaseRef): boolean {
  return one.namespace === other.namespace && one.name === other.name;
}

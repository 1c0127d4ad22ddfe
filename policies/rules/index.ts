import type { Rule } from '../knowledge/rule.ts';
import { catalogIsAppendOnly } from './catalog-is-append-only.ts';
import { catalogIsSigned } from './catalog-is-signed.ts';
import { crdIsProtected } from './crd-is-protected.ts';
import { crdStaysCompatible } from './crd-stays-compatible.ts';
import { extensionIsBounded } from './extension-is-bounded.ts';
import { guardsAreEnforced } from './guards-are-enforced.ts';
import { imagesByDigest } from './images-by-digest.ts';
import { inferenceStackIsOwned } from './inference-stack-is-owned.ts';
import { noDangerousRights } from './no-dangerous-rights.ts';
import { noWildcardRbac } from './no-wildcard-rbac.ts';
import { olmWritersAreKnown } from './olm-writers-are-known.ts';
import { oneOperatorPerMajor } from './one-operator-per-major.ts';
import { registriesAreAllowed } from './registries-are-allowed.ts';
import { stableChannelsOnly } from './stable-channels-only.ts';
import { upgradesSpareStacks } from './upgrades-spare-stacks.ts';
import { workloadsAreHardened } from './workloads-are-hardened.ts';

/** Every rule, the gravest first. */
export const RULES: readonly Rule[] = [
  oneOperatorPerMajor,
  extensionIsBounded,
  catalogIsAppendOnly,
  catalogIsSigned,
  crdStaysCompatible,
  crdIsProtected,
  noWildcardRbac,
  noDangerousRights,
  olmWritersAreKnown,
  guardsAreEnforced,
  inferenceStackIsOwned,
  upgradesSpareStacks,
  stableChannelsOnly,
  imagesByDigest,
  registriesAreAllowed,
  workloadsAreHardened,
];

import semver from 'semver';
import type { Problem } from '../../packages/lib/problem.ts';

/** Whose rights OLM installs an extension with: those of an account that the extension names, or its own, which are all. */
export type InstallsAs = 'account' | 'cluster-admin';

/** What a version of OLM does otherwise than others. What a manifest or a CRD tells by itself is read from there. */
export interface OlmFacts {
  /** The minor version. Its patches are alike. */
  readonly minor: string;
  readonly installsAs: InstallsAs;
}

/** Says on OLM's controllers, and on extensions, which version of OLM they are of or written for. */
export const OLM_VERSION_ANNOTATION = 'inference-stack-fleet/olm-version';

/** The oldest version that is supported. */
export const OLDEST_OLM = '1.5.1';

/** What clusters get that ask for no version. */
export const DEFAULT_OLM = '1.11.0';

/** What the embedded cluster has programs of. */
export const EMBEDDED_OLM = '1.10.0';

/** The minors that these components were tested with, oldest first. */
const TESTED_OLM: readonly [OlmFacts, ...OlmFacts[]] = [
  { minor: '1.5', installsAs: 'account' },
  { minor: '1.10', installsAs: 'account' },
  { minor: '1.11', installsAs: 'cluster-admin' },
];

/** What is known of a version. One of a minor that nobody has tested counts as the tested one before it. */
export function olmFacts(version: string): OlmFacts {
  const [oldest] = TESTED_OLM;
  return TESTED_OLM.findLast(({ minor }) => semver.gte(`${minorOf(version)}.0`, `${minor}.0`)) ?? oldest;
}

/** Refuses a version that is too old: its manifest, its CRDs and what it needs are not known. */
export function checkOlmVersion(version: string): readonly Problem[] {
  if (semver.gte(version, OLDEST_OLM)) return [];
  return [
    {
      path: 'olm.version',
      value: version,
      message: `is older than ${OLDEST_OLM}, the oldest version that is supported`,
      remedy: `Use ${OLDEST_OLM} or newer; ${DEFAULT_OLM} is what clusters get that ask for none.`,
    },
  ];
}

/** What to say of a version whose minor nobody has tested; nothing of one that was. */
export function untestedOlm(version: string): string | undefined {
  const { minor } = olmFacts(version);
  if (minorOf(version) === minor) return undefined;
  const tested = TESTED_OLM.map((each) => each.minor).join(', ');
  return `OLM ${version} is not among the versions that this program was tested with (${tested}): it is treated as ${minor}.`;
}

/** The minor that a version belongs to, pre-releases included: `1.11` of 1.11.0-rc.1. */
export function minorOf(version: string): string {
  return `${semver.major(version)}.${semver.minor(version)}`;
}

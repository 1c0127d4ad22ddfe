import semver from 'semver';
import type { Problem } from '../../packages/lib/problem.ts';

/** Whose rights OLM installs an extension with: those of an account that the extension names, or its own, which are all. */
export type InstallsAs = 'account' | 'cluster-admin';

/** How a version of OLM differs from others, except for what can be read from its manifest or CRD. */
export interface OlmFacts {
  /** The minor version. Its patches behave the same. */
  readonly minor: string;
  readonly installsAs: InstallsAs;
}

/** Annotation with a version of OLM: the one that a controller is of, or that an extension is written for. */
export const OLM_VERSION_ANNOTATION = 'inference-stack-fleet/olm-version';

/** The oldest version that is supported. */
export const OLDEST_OLM = '1.5.1';

/** The version that clusters get by default. */
export const DEFAULT_OLM = '1.11.0';

/** The version whose programs the embedded cluster has. */
export const EMBEDDED_OLM = '1.10.0';

/** The minors that these components were tested with, oldest first. */
const TESTED_OLM: readonly [OlmFacts, ...OlmFacts[]] = [
  { minor: '1.5', installsAs: 'account' },
  { minor: '1.10', installsAs: 'account' },
  { minor: '1.11', installsAs: 'cluster-admin' },
];

/** The facts about a version. An untested minor counts as the tested one before it. */
export function olmFacts(version: string): OlmFacts {
  const [oldest] = TESTED_OLM;
  return TESTED_OLM.findLast(({ minor }) => semver.gte(`${minorOf(version)}.0`, `${minor}.0`)) ?? oldest;
}

/** Refuses a version that is too old: its manifest, its CRDs and what it needs are not known. */
export function checkOlmVersion(version: string): readonly Problem[] {
  if (semver.gte(version, OLDEST_OLM)) return [];
  return [
    {
      path: 'version',
      value: version,
      message: `is older than ${OLDEST_OLM}, the oldest version that is supported`,
      remedy: `Use ${OLDEST_OLM} or newer; the default is ${DEFAULT_OLM}.`,
    },
  ];
}

/** A warning about a version whose minor is untested; undefined for tested ones. */
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

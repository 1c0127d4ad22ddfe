/** The OLM package of the operator; every version of every major belongs to it. */
export const PACKAGE = 'inference-stack-operator';

/** All majors are installed here, so that their Leases can be granted by name in one place. */
export const OPERATOR_NAMESPACE = 'inference-stack-operator-system';

/** Operators run without any privilege, and this label on their namespace holds all other pods there to the same. */
export const POD_SECURITY_LABEL = 'pod-security.kubernetes.io/enforce';
export const POD_SECURITY = 'restricted';

/**
 * The Secret in the operators' namespace with which their images are pulled. Every bundle names it, since a released
 * bundle cannot know whether the registry of a cluster asks for credentials; where none are needed it holds none.
 */
export const OPERATOR_PULL_SECRET = 'registry-pull-secret';

/** Names of everything that one major of the operator consists of in a cluster. */
export interface OperatorNames {
  /** Of the ClusterExtension, the Deployment, the ServiceAccount, the ClusterRole, its binding and the Lease. */
  readonly operator: string;
  readonly leaderElection: string;
  readonly metricsService: string;
}

/**
 * Two majors share no name, so they live side by side; two versions of one major share every name, so that OLM upgrades
 * objects in place, and itself refuses a second operator of a major beside the first.
 */
export function operatorNames(major: number): OperatorNames {
  const operator = extensionName(PACKAGE, major);
  return { operator, leaderElection: `${operator}-leader-election`, metricsService: `${operator}-metrics` };
}

/** The name of the one extension that a package may have for a major. */
export function extensionName(packageName: string, major: number): string {
  return `${packageName}-v${major}`;
}

/** One Lease for each major of the API's operators, whatever their full version and wherever they run. */
export function leaseName(major: number): string {
  return operatorNames(major).operator;
}

/** The name of a version's ClusterServiceVersion, which is also its name in the catalog. */
export function csvName(version: string): string {
  return `${PACKAGE}.v${version}`;
}

/** One Lease for each major of the API's operators, whatever their full version and wherever they run. */
export function leaseName(major: number): string {
  return `inference-stack-operator-v${major}`;
}

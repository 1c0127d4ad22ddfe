import type { KubernetesObject } from '../../packages/kube/object.ts';
import { PACKAGE } from '../../packages/api/operator-names.ts';
import { parseVersion } from '../catalog/version.ts';
import { reportedBundle } from '../olm/reported-bundle.ts';

const NAME = new RegExp(`^${PACKAGE}-v(\\d+)$`);

/** The major that an extension of our package is named after; none for one that a person named freely. */
export function namedMajor({ metadata }: KubernetesObject): number | undefined {
  const major = NAME.exec(metadata.name)?.[1];
  return major === undefined ? undefined : Number(major);
}

/** The major that an extension of our package serves, however it is named. */
export function servedMajor(extension: KubernetesObject): number | undefined {
  return namedMajor(extension) ?? parseVersion(reportedBundle(extension)?.version ?? '')?.major;
}

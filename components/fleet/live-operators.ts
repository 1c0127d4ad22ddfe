import type { InstalledBundle } from '../catalog/successors.ts';
import { parseVersion } from '../catalog/version.ts';
import type { InstalledOperator } from './plan.ts';
import { namedMajor, servedMajor } from './served-major.ts';
import { reportedBundle } from '../olm/reported-bundle.ts';
import { isManaged } from '../../packages/api/labels.ts';
import { PACKAGE } from '../../packages/api/operator-names.ts';
import type { KubernetesObject } from '../../packages/kube/object.ts';

/** An operator of our package that is in the cluster, or that OLM is installing. */
export interface LiveOperator extends InstalledOperator {
  readonly major: number;
  /** Whether `OperatorFleet` made it, and would remove it. */
  readonly managed: boolean;
}

/** The operators behind the extensions of a cluster. One that a person made is left out while its major is unknown. */
export function liveOperators(extensions: readonly KubernetesObject[]): readonly LiveOperator[] {
  return extensions.filter(isOfOurPackage).flatMap((extension) => {
    const { name, labels } = extension.metadata;
    const managed = isManaged(labels);
    const major = managed ? namedMajor(extension) : servedMajor(extension);
    return major === undefined ? [] : [{ extension: name, major, managed, bundle: bundleOf(extension) }];
  });
}

interface ExtensionFields {
  readonly spec?: { readonly source?: { readonly catalog?: { readonly packageName?: string } } };
}

function isOfOurPackage(extension: KubernetesObject): boolean {
  return (extension as ExtensionFields).spec?.source?.catalog?.packageName === PACKAGE;
}

function bundleOf(extension: KubernetesObject): InstalledBundle | undefined {
  const bundle = reportedBundle(extension);
  const version = parseVersion(bundle?.version ?? '');
  return bundle === undefined || version === undefined ? undefined : { name: bundle.name, version };
}

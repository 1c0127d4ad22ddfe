import { GROUP, INFERENCE_STACK, STORAGE_VERSION } from '../../packages/api/constants.ts';
import { bundleObjects, type FbcBundle } from '../catalog/fbc.ts';
import { textAt } from '../../packages/lib/json.ts';

/** A version of a CustomResourceDefinition that an operator cannot do without. */
export interface ApiNeed {
  /** The definition's name, `inferencestacks.models.titanml.co`. */
  readonly definition: string;
  readonly version: string;
}

/**
 * On a ClusterServiceVersion: what the operator needs to be served. OLM v1 installs no bundle that requires a CRD in the
 * words that OLM has for it, so bundles say it in their own, and whoever changes the CRD looks here.
 */
const ANNOTATION = 'inference-stack-fleet/api-needs';

/** The annotation of a bundle: the version that its controller reads and writes, and the one that its users write. */
export function apiNeedsAnnotation(crdVersion: string): Readonly<Record<string, string>> {
  const versions = [...new Set([STORAGE_VERSION, crdVersion])].sort();
  return { [ANNOTATION]: versions.map((version) => `${INFERENCE_STACK.plural}.${GROUP}/${version}`).join(',') };
}

/** What a bundle says that it needs; nothing for bundles that do not say. */
export function apiNeedsOf(bundle: FbcBundle): readonly ApiNeed[] {
  const csv = bundleObjects(bundle).find(({ kind }) => kind === 'ClusterServiceVersion');
  const stated = textAt(csv, 'metadata', 'annotations', ANNOTATION);
  return stated
    .split(',')
    .map((entry) => entry.split('/'))
    .flatMap(([definition = '', version]) => (version === undefined ? [] : [{ definition, version }]));
}

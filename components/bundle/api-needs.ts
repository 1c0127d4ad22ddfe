import { GROUP, INFERENCE_STACK, STORAGE_VERSION } from '../../packages/api/constants.ts';
import { bundleCsv, type FbcBundle } from '../catalog/fbc.ts';
import { textAt } from '../../packages/lib/json.ts';

/** A version of a CustomResourceDefinition that an operator cannot do without. */
export interface ApiNeed {
  /** The definition's name, `inferencestacks.models.titanml.co`. */
  readonly definition: string;
  readonly version: string;
}

/**
 * Annotation of a ClusterServiceVersion: the API versions that the operator needs. OLM v1 refuses bundles that require
 * a CRD by OLM's own means, so ours say it here, and it is checked before the CRD changes.
 */
const ANNOTATION = 'inference-stack-fleet/api-needs';

/** The annotation of a bundle: the version that its controller reads and writes, and the one that its users write. */
export function apiNeedsAnnotation(crdVersion: string): Readonly<Record<string, string>> {
  const versions = [...new Set([STORAGE_VERSION, crdVersion])].sort();
  return { [ANNOTATION]: versions.map((version) => `${INFERENCE_STACK.plural}.${GROUP}/${version}`).join(',') };
}

/** The needs that a bundle declares; none for bundles without the annotation. */
export function apiNeedsOf(bundle: FbcBundle): readonly ApiNeed[] {
  const stated = textAt(bundleCsv(bundle), 'metadata', 'annotations', ANNOTATION);
  return stated
    .split(',')
    .map((entry) => entry.split('/'))
    .flatMap(([definition = '', version]) => (version === undefined ? [] : [{ definition, version }]));
}

import type { Problem } from '../../controller/src/problem.ts';
import { isManaged } from '../labels.ts';

/** The OLM that a cluster already has, as its CRD of extensions tells. */
export interface ExistingOlm {
  readonly labels: Readonly<Record<string, string>>;
}

/** What the program is told to do about OLM. */
export type OlmMode = 'install' | 'adopt' | 'existing';

const CRD = 'CustomResourceDefinition clusterextensions.olm.operatorframework.io';

/** Refuses to install over an OLM that something else installed, and to use one that is not there. */
export function checkExistingOlm(mode: OlmMode, existing: ExistingOlm | undefined): readonly Problem[] {
  if (mode === 'existing' && existing === undefined) {
    return [
      {
        object: CRD,
        path: 'olm.mode',
        value: mode,
        message: 'expects an OLM v1 in the cluster, and there is none',
        remedy: 'Install OLM v1, or set `olm.mode: install`.',
      },
    ];
  }
  if (mode === 'install' && existing !== undefined && !isManaged(existing.labels)) {
    return [
      {
        object: CRD,
        path: 'olm.mode',
        value: mode,
        message: 'would install over an OLM v1 that something else installed',
        remedy: 'Set `olm.mode: existing` to use that one as it is, or `olm.mode: adopt` to take it over.',
      },
    ];
  }
  return [];
}

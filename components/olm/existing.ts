import semver from 'semver';
import type { Problem } from '../../packages/lib/problem.ts';
import { isManaged } from '../../packages/api/labels.ts';
import { EXTENSION_CRD, type ExtensionDefinition } from './extension-api.ts';
import { minorOf } from './versions.ts';

/** The OLM that a cluster already has. */
export interface ExistingOlm {
  /** Labels of its CRD of extensions. */
  readonly labels: Readonly<Record<string, string>>;
  /** Its CRD of extensions, which the API server validates them against until another one is applied. */
  readonly definition?: ExtensionDefinition;
  /** Labels of its controller, if a Deployment with the name from OLM's releases exists in any namespace. */
  readonly controllerLabels?: Readonly<Record<string, string>>;
  /** The node labels that its controller asks for, if the controller exists. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /**
   * The newest version that has run, according to controller and extensions; a version whose pods were never ready does
   * not count.
   */
  readonly version?: string;
}

/** The controller, which distinguishes an OLM from CRDs that an earlier one has left behind. */
export const CONTROLLER = { namespace: 'olmv1-system', name: 'operator-controller-controller-manager' };

/** The other controller, beside it. Each runs under an account of its own name. */
export const CATALOGD = { namespace: CONTROLLER.namespace, name: 'catalogd-controller-manager' };

/** What the program does about OLM. */
export type OlmMode = 'install' | 'adopt' | 'existing';

/** Our CRDs stay when OLM is removed, and somebody may have installed another OLM since: its controller counts first. */
function isOurs({ labels, controllerLabels }: ExistingOlm): boolean {
  return isManaged(controllerLabels ?? labels);
}

const CRD = `CustomResourceDefinition ${EXTENSION_CRD}`;
const DEPLOYMENT = `Deployment ${CONTROLLER.namespace}/${CONTROLLER.name}`;

/** Refuses to install over an OLM that something else installed, to use one that is not there, and to drop our own. */
export function checkExistingOlm(mode: OlmMode, existing: ExistingOlm | undefined): readonly Problem[] {
  if (mode === 'existing' && existing === undefined) {
    return [
      {
        object: CRD,
        path: 'mode',
        value: mode,
        message: 'expects an OLM v1 in the cluster, but there is none',
        remedy: 'Install OLM v1, or have it installed by this.',
      },
    ];
  }
  if (mode === 'existing' && existing?.controllerLabels !== undefined && isOurs(existing)) {
    return [
      {
        object: DEPLOYMENT,
        path: 'mode',
        value: mode,
        message: 'would remove OLM v1, which this program has installed or taken over',
        remedy: 'Choose what it was before.',
      },
    ];
  }
  if (mode === 'install' && existing !== undefined && !isOurs(existing)) {
    return [
      {
        object: CRD,
        path: 'mode',
        value: mode,
        message: 'would install over an OLM v1 that something else installed',
        remedy: 'Choose `existing` to use that one as it is, or `adopt` to take it over.',
      },
    ];
  }
  return [];
}

/**
 * Refuses an older minor than the newest that has run. OLM supports no way back: the older CRD may refuse extensions
 * that the newer one admits, and the older OLM may not understand what the newer one has stored. Patches of a minor may
 * go either way.
 */
export function checkDowngrade(version: string, existing: ExistingOlm | undefined): readonly Problem[] {
  const running = existing?.version;
  if (running === undefined || semver.gte(version, running) || minorOf(version) === minorOf(running)) return [];
  return [
    {
      object: DEPLOYMENT,
      path: 'version',
      value: version,
      message: `would go back from OLM ${running}, which has run in this cluster, and OLM supports no way back: the older one may refuse or misread what the newer one has written`,
      remedy: `Use ${running} or newer.`,
    },
  ];
}

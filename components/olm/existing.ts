import semver from 'semver';
import type { Problem } from '../../packages/lib/problem.ts';
import { isManaged } from '../../packages/api/labels.ts';
import { EXTENSION_CRD, type ExtensionDefinition } from './extension-api.ts';
import { minorOf } from './versions.ts';

/** The OLM that a cluster already has. */
export interface ExistingOlm {
  /** Labels of its CRD of extensions. */
  readonly labels: Readonly<Record<string, string>>;
  /** Its CRD of extensions, by which the API server judges them until another one is applied. */
  readonly definition?: ExtensionDefinition;
  /** Labels of its controller, where one of the name that OLM's releases give it is in any namespace. */
  readonly controllerLabels?: Readonly<Record<string, string>>;
  /** Labels of the nodes that its controller asks for, where that is there. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** The newest version that has run, as controller and extensions tell; not one whose pods have never been ready. */
  readonly version?: string;
}

/** The controller by which an OLM is told apart from CRDs that an earlier one has left. */
export const CONTROLLER = { namespace: 'olmv1-system', name: 'operator-controller-controller-manager' };

/** The other controller, beside it. Each runs under an account of its own name. */
export const CATALOGD = { namespace: CONTROLLER.namespace, name: 'catalogd-controller-manager' };

/** What the program is told to do about OLM. */
export type OlmMode = 'install' | 'adopt' | 'existing';

/** Our CRDs stay when OLM goes, and somebody else's OLM may have come since: its controller counts first. */
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
        path: 'olm.mode',
        value: mode,
        message: 'expects an OLM v1 in the cluster, and there is none',
        remedy: 'Install OLM v1, or set `olm.mode: install`.',
      },
    ];
  }
  if (mode === 'existing' && existing?.controllerLabels !== undefined && isOurs(existing)) {
    return [
      {
        object: DEPLOYMENT,
        path: 'olm.mode',
        value: mode,
        message: 'would remove OLM v1, which this program has installed or taken over',
        remedy: 'Set `olm.mode` back to what it was.',
      },
    ];
  }
  if (mode === 'install' && existing !== undefined && !isOurs(existing)) {
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

/**
 * Refuses an older minor than the newest that has run. OLM supports no way back: extensions that the newer one admits may be refused by
 * the CRD of the older one, and what it has stored about them need not be understood. Patches of a minor may go either way.
 */
export function checkDowngrade(version: string, existing: ExistingOlm | undefined): readonly Problem[] {
  const running = existing?.version;
  if (running === undefined || semver.gte(version, running) || minorOf(version) === minorOf(running)) return [];
  return [
    {
      object: DEPLOYMENT,
      path: 'olm.version',
      value: version,
      message: `would go back from OLM ${running}, which has run in this cluster, and OLM supports no way back: the older one may refuse or misread what the newer one has written`,
      remedy: `Set \`olm.version\` to ${running} or newer.`,
    },
  ];
}

import { refuse, type Problem } from '../../packages/lib/problem.ts';
import { bundleCsv, bundleObjects, isCsv, type FbcBundle } from '../catalog/fbc.ts';
import { listAt, objectAt, textAt, type JsonObject } from '../../packages/lib/json.ts';
import type { BundleObject } from './installer-rights.ts';

/** The objects that OLM creates from a bundle: its manifests as they are, and the Deployments that its CSV states. */
export function installedObjects(bundle: FbcBundle): readonly BundleObject[] {
  const objects = bundleObjects(bundle);
  const csv = objects.find(isCsv);
  if (csv === undefined) return [];
  refuse(derivedPermissions(bundle.name, installOf(csv)));
  const deployments = deploymentsOf(csv).map((name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
  }));
  const manifests = objects.filter((object) => object !== csv);
  return [...deployments, ...manifests.map((manifest) => manifest as unknown as BundleObject)];
}

/** The names of the Deployments that OLM creates from a bundle; none where a catalog does not hold its objects. */
export function bundleDeployments(bundle: FbcBundle): readonly string[] {
  const csv = bundleCsv(bundle);
  return csv === undefined ? [] : deploymentsOf(csv);
}

/** Bundles that a catalog only summarizes: the rights that their installers need are unknown. */
export function summarizedBundles(bundles: readonly FbcBundle[]): readonly Problem[] {
  return bundles
    .filter((bundle) => bundleCsv(bundle) === undefined)
    .map(({ name }) => ({
      object: `bundle ${name}`,
      path: 'olm.bundle.object',
      message: 'is missing in the catalog, so it is not known which rights its installer needs',
      remedy:
        'Render the catalog with the objects of its bundles, or use an OLM that installs with rights of its own (1.11 or newer).',
    }));
}

function deploymentsOf(csv: JsonObject): readonly string[] {
  return listAt(installOf(csv), 'deployments').map((deployment) => textAt(deployment, 'name'));
}

function installOf(csv: JsonObject): JsonObject {
  return objectAt(csv, 'spec', 'install', 'spec');
}

/** OLM gives hashed names to what it derives from a CSV's permissions, so no right could be restricted to those names. */
function derivedPermissions(bundle: string, install: JsonObject): readonly Problem[] {
  return ['permissions', 'clusterPermissions']
    .filter((field) => listAt(install, field).length > 0)
    .map((field) => ({
      object: `bundle ${bundle}`,
      path: `spec.install.spec.${field}`,
      message: 'has permissions, for which OLM would create objects with generated names',
      remedy: 'Ship ServiceAccount, roles and bindings as manifests of the bundle.',
    }));
}

import assert from 'node:assert/strict';
import {
  checkManifestVersion,
  isSameApi,
  requiresAccount,
  type ExtensionDefinition,
} from '../../../../components/olm/extension-api.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

const METADATA = { name: 'clusterextensions.olm.operatorframework.io' };

/** A CRD of extensions; `note` is what it says about itself. */
function definition(required: readonly string[], note = 'An extension.'): ExtensionDefinition {
  const description = { type: 'string', description: note };
  const spec = {
    type: 'object',
    description: note,
    required,
    properties: { namespace: { type: 'string' }, description },
  };
  const openAPIV3Schema = { type: 'object', description: note, properties: { spec } };
  return { metadata: METADATA, spec: { versions: [{ name: 'v1', served: true, schema: { openAPIV3Schema } }] } };
}

const WITH_ACCOUNT = definition(['namespace', 'serviceAccount', 'source']);
const WITHOUT = definition(['namespace', 'source']);

describe('the CRD of extensions', () => {
  it('tells whether extensions must name an account, unless it has no schema', () => {
    assert.equal(requiresAccount(WITH_ACCOUNT), true);
    assert.equal(requiresAccount(WITHOUT), false);
    assert.equal(requiresAccount({ metadata: METADATA }), undefined);
  });

  it('is the same whatever it says about itself, and another when it admits other extensions', () => {
    assert.ok(isSameApi(WITHOUT, definition(['namespace', 'source'], 'Other words.')));
    assert.ok(!isSameApi(WITHOUT, WITH_ACCOUNT));
  });

  it('must be that of the version', () => {
    const manifest = (crd: ExtensionDefinition): Parameters<typeof checkManifestVersion>[0] => ({
      source: 'olm.yaml',
      objects: [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...crd }],
    });
    assert.deepEqual(checkManifestVersion(manifest(WITH_ACCOUNT), '1.11.0').map(formatProblem), [
      'olm.yaml: version: is not the version of this manifest: its extensions must name a service account, those of 1.11 need not (got "1.11.0"). Take the version and the manifest of the same release.',
    ]);
    assert.equal(checkManifestVersion(manifest(WITHOUT), '1.10.0').length, 1);
    assert.deepEqual(checkManifestVersion(manifest(WITH_ACCOUNT), '1.10.0'), []);
    assert.deepEqual(checkManifestVersion(manifest(WITHOUT), '1.12.0'), []);
  });
});

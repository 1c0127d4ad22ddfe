import assert from 'node:assert/strict';
import { CATALOGD } from '../../../../components/olm/existing.ts';
import { isDeployment } from '../../../../components/olm/manifest.ts';
import { servedManifest, servedVersions } from '../../../support/olm/served-olm.ts';

describe('the account that the guard admits as catalogd', () => {
  for (const version of servedVersions()) {
    it(`is the one that OLM ${version} runs it as`, () => {
      const deployments = servedManifest(version).filter(isDeployment);
      const { metadata, spec } = deployments.find((each) => each.metadata.name === CATALOGD.name) ?? assert.fail();
      const account = { namespace: metadata.namespace, name: spec.template.spec.serviceAccountName };
      assert.deepEqual(account, CATALOGD);
    });
  }

  it('is looked for in the manifests of more than one version', () => assert.ok(servedVersions().length > 1));
});

import assert from 'node:assert/strict';
import { bundleImage, publishSettings } from '../../../cli/publish-target.ts';
import type { ProblemsError } from '../../../packages/lib/problem.ts';

const RELEASE = { IMAGE_TAG_BASE: 'registry.example.com/fleet/operator' };

describe('where and how images are published', () => {
  it('follows the variables of the environment', () => {
    const settings = publishSettings(
      { ...RELEASE, IMAGE_PLATFORMS: 'linux/amd64,linux/arm64', BUILDKIT_HOST: 'tcp://builder:1234' },
      false,
    );
    assert.equal(settings.imageBase, RELEASE.IMAGE_TAG_BASE);
    assert.deepEqual(settings.platforms, ['linux/amd64', 'linux/arm64']);
    assert.deepEqual(settings.buildkit, { address: 'tcp://builder:1234' });
  });

  it('attests nothing unless told, and with the scanner that a site has', () => {
    const attested = (env: Readonly<Record<string, string>>): unknown =>
      publishSettings({ ...RELEASE, ...env }, false).attestations;
    // Make passes variables that are not set as empty ones.
    assert.deepEqual(attested({ PROVENANCE: '', SBOM: '' }), { provenance: false, sbom: false });
    assert.deepEqual(attested({ PROVENANCE: '1', SBOM: '1', SBOM_SCANNER: 'registry.example.com/scanner:1' }), {
      provenance: true,
      sbom: true,
      sbomScanner: 'registry.example.com/scanner:1',
    });
  });

  it('has no default for releases, whose names may be somebody else’s', () => {
    for (const named of [
      () => publishSettings({ IMAGE_TAG_BASE: '' }, false).imageBase,
      () => bundleImage('v3.0.0', {}),
    ]) {
      assert.throws(named, (error: ProblemsError) => {
        assert.equal(
          error.message,
          'IMAGE_TAG_BASE: is not set, and releases have no default repository. ' +
            'Name your own, e.g. IMAGE_TAG_BASE=registry.example.com/fleet/operator.',
        );
        return true;
      });
    }
    assert.equal(bundleImage('v3.0.0', RELEASE), `${RELEASE.IMAGE_TAG_BASE}-bundle:3.0.0`);
  });
});

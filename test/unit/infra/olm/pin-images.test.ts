import assert from 'node:assert/strict';
import { parseManifest } from '../../../../components/olm/manifest.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { pinOlmImages } from '../../../../infra/olm/pin-images.ts';
import { OLM_MANIFEST } from '../../../support/olm/olm-manifest.ts';

const MANIFEST = parseManifest(OLM_MANIFEST, 'olm.yaml');
const DIGEST = `sha256:${'1'.repeat(64)}`;

function pin(image: string): Promise<string> {
  return Promise.resolve(image.replace(/:[^:]+$/, `@${DIGEST}`));
}

describe('OLM’s images in an environment that requires digests', () => {
  it('are those of the manifest, by the digest that the registry has', async () => {
    assert.deepEqual(await pinOlmImages({}, MANIFEST, pin), {
      images: {
        catalogd: `quay.example/catalogd@${DIGEST}`,
        operatorController: `quay.example/operator-controller@${DIGEST}`,
      },
      problems: [],
    });
  });

  it('are not asked for where the settings name them', async () => {
    const asked: string[] = [];
    const chosen = { catalogd: `mirror.example/catalogd@${DIGEST}` };
    const { images } = await pinOlmImages(chosen, MANIFEST, (image) => {
      asked.push(image);
      return pin(image);
    });
    assert.deepEqual(asked, ['quay.example/operator-controller:v1']);
    assert.equal(images.catalogd, chosen.catalogd);
  });

  it('are named, each with its setting, when the registry does not answer', async () => {
    const { images, problems } = await pinOlmImages({}, MANIFEST, () => Promise.reject(new Error('no route to host')));
    assert.deepEqual(images, {});
    assert.deepEqual(
      problems.map(formatProblem),
      ['catalogd', 'operatorController'].map(
        (name, index) =>
          `olm.images.${name}: is named by tag in OLM’s manifest, but its digest could not be read from the registry: no route to ` +
          `host (got "quay.example/${['catalogd', 'operator-controller'][index] ?? ''}:v1"). ` +
          'Set it to <repository>@sha256:<digest>.',
      ),
    );
  });
});

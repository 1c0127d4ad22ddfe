import assert from 'node:assert/strict';
import { UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { imagesByDigest } from '../../../../policies/rules/images-by-digest.ts';
import { registriesAreAllowed } from '../../../../policies/rules/registries-are-allowed.ts';
import { catalog, deployment, DIGEST, extension } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';

const IMAGE = ['spec', 'template', 'spec', 'containers', 0, 'image'];
const VOLUMES = ['spec', 'template', 'spec', 'volumes'];
const REF = ['spec', 'source', 'image', 'ref'];
const NAME = 'Deployment inference-stack-operator-system/controller';

describe('images-by-digest', () => {
  it('admits digests, and objects without images', () => {
    assert.deepEqual(violations(imagesByDigest, [deployment(), catalog(), extension()]), []);
  });

  it('refuses a tag in a workload', () => {
    assert.deepEqual(
      violations(imagesByDigest, [withChanges(deployment(), [IMAGE, 'docker.io/tytn/controller:1.0.0'])]),
      [`${NAME} should name the image of container manager by digest, not "docker.io/tytn/controller:1.0.0".`],
    );
  });

  it('refuses a tag in a catalog', () => {
    assert.deepEqual(violations(imagesByDigest, [withChanges(catalog(), [REF, 'docker.io/tytn/catalog:latest'])]), [
      'ClusterCatalog inference-stack-catalog should name the image of catalog by digest, not "docker.io/tytn/catalog:latest".',
    ]);
  });

  it("leaves OLM's own images to its release, unless told otherwise", () => {
    const olm = withChanges(deployment(), [IMAGE, 'quay.io/a/b:v1'], [['metadata', 'namespace'], 'olmv1-system']);
    assert.deepEqual(violations(imagesByDigest, [olm]), []);
    assert.equal(violations(imagesByDigest, [olm], undefined, { exemptNamespaces: [] }).length, 1);
  });

  it('does not take a catalog for a workload of OLM because it names a namespace, in which it cannot be', () => {
    const object = withChanges(catalog(), [['metadata', 'namespace'], 'olmv1-system'], [REF, 'docker.io/tytn/c:1']);
    assert.equal(violations(imagesByDigest, [object]).length, 1);
  });

  it('refuses a tag in a volume, beside volumes that are not known yet', () => {
    const volumes = [UNKNOWN, { name: 'model', image: { reference: 'docker.io/tytn/model:1' } }];
    assert.deepEqual(violations(imagesByDigest, [withChanges(deployment(), [VOLUMES, volumes])]), [
      `${NAME} should name the image of volume model by digest, not "docker.io/tytn/model:1".`,
    ]);
    const tagged = withChanges(deployment(), [VOLUMES, UNKNOWN], [IMAGE, 'docker.io/tytn/controller:1.0.0']);
    assert.equal(violations(imagesByDigest, [tagged]).length, 1);
  });

  it('says that an image which is still to be built is not judged', () => {
    assert.deepEqual(unknowns(imagesByDigest, [withChanges(catalog(), [REF, UNKNOWN])]), [
      'ClusterCatalog inference-stack-catalog: spec.source.image.ref is known only after the update.',
    ]);
  });
});

describe('registries-are-allowed', () => {
  it('looks at the images of volumes as well', () => {
    const volumes = [{ name: 'model', image: { reference: `ghcr.io/other/model@${DIGEST}` } }];
    assert.equal(violations(registriesAreAllowed, [withChanges(deployment(), [VOLUMES, volumes])]).length, 1);
  });

  it('admits registries, and paths in them, on the list', () => {
    assert.deepEqual(violations(registriesAreAllowed, [deployment(), catalog()]), []);
    const settings = { registries: ['docker.io'] };
    assert.deepEqual(
      violations(registriesAreAllowed, [withChanges(deployment(), [IMAGE, 'nginx'])], undefined, settings),
      [],
    );
  });

  const refused: Record<string, string> = {
    [`ghcr.io/other/controller@${DIGEST}`]: `ghcr.io/other/controller@${DIGEST}`,
    'docker.io/tytn-evil/controller:1': 'docker.io/tytn-evil/controller:1',
    busybox: 'docker.io/library/busybox',
    'tytn2/controller:1': 'docker.io/tytn2/controller:1',
  };
  for (const [image, shown] of Object.entries(refused)) {
    it(`refuses ${image}`, () => {
      assert.deepEqual(violations(registriesAreAllowed, [withChanges(deployment(), [IMAGE, image])]), [
        `${NAME} should pull the image of container manager from docker.io/tytn, quay.io/operator-framework, registry.k8s.io, not ${shown}.`,
      ]);
    });
  }
});

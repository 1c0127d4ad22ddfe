import assert from 'node:assert/strict';
import type { Facts } from '../../../../policies/knowledge/facts.ts';
import { ObjectReader, UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { crdStaysCompatible } from '../../../../policies/rules/crd-stays-compatible.ts';
import { catalog, definition } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';

const NAME = 'CustomResourceDefinition inferencestacks.models.titanml.co';
const VERSION = ['spec', 'versions', 0];
const FACTS: Facts = {
  catalogs: [],
  cluster: { catalogs: [], extensions: [], definitions: [new ObjectReader(definition())] },
};

describe('crd-stays-compatible', () => {
  it('admits the same definition, and a wider one', () => {
    const spec = [...VERSION, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties'];
    const wider = withChanges(definition(), [[...spec, 'b'], { type: 'string' }]);
    assert.deepEqual(violations(crdStaysCompatible, [definition(), wider], FACTS), []);
  });

  it('refuses a field that is gone', () => {
    const spec = [...VERSION, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties'];
    assert.deepEqual(violations(crdStaysCompatible, [withChanges(definition(), [[...spec, 'a'], undefined])], FACTS), [
      `${NAME}: spec.versions[v1beta1].spec.a: is gone: what stacks say there would be erased. ` +
        'Keep what exists and add to it: the stacks of every team rely on it.',
    ]);
  });

  it('refuses a version that is no longer served', () => {
    assert.deepEqual(
      violations(crdStaysCompatible, [withChanges(definition(), [[...VERSION, 'served'], false])], FACTS),
      [
        `${NAME}: spec.versions[v1beta1]: is no longer served. ` +
          'Serve it, or retire it as docs/how-to/retire-an-api-version.md says.',
      ],
    );
  });

  it('refuses a bundle that brings the CRD', () => {
    const bundle = {
      name: 'inference-stack-operator.v1.0.0',
      image: '',
      properties: [
        { type: 'olm.gvk', value: { group: 'models.titanml.co', kind: 'InferenceStack', version: 'v1beta1' } },
      ],
    };
    const content = { package: { name: 'inference-stack-operator' }, channels: [], bundles: [bundle] };
    const facts = { catalogs: [{ name: 'inference-stack-catalog', packages: [content], isKnown: true }] };
    assert.deepEqual(violations(crdStaysCompatible, [catalog()], facts), [
      'ClusterCatalog inference-stack-catalog should not offer bundle inference-stack-operator.v1.0.0, which brings the CRD: two majors would fight for it.',
    ]);
  });

  it("leaves other people's CRDs alone", () => {
    const foreign = withChanges(definition(), [['spec', 'group'], 'example.com'], [['spec', 'versions'], []]);
    assert.deepEqual(violations(crdStaysCompatible, [foreign], FACTS), []);
  });

  for (const [what, path, place] of [
    ['its schema', [...VERSION, 'schema'], 'spec.versions[0].schema'],
    [
      'one type in it',
      [...VERSION, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'type'],
      'spec.versions[0].schema.openAPIV3Schema.properties.spec.type',
    ],
    ['its versions', ['spec', 'versions'], 'spec.versions'],
  ] as const) {
    it(`does not judge a definition before ${what} is known, and says so`, () => {
      const unread = withChanges(definition(), [path, UNKNOWN]);
      assert.deepEqual(violations(crdStaysCompatible, [unread], FACTS), []);
      assert.deepEqual(unknowns(crdStaysCompatible, [unread], FACTS), [
        `${NAME}: ${place} is known only after the update.`,
      ]);
    });
  }

  it('judges a definition of which only an annotation is not known', () => {
    const annotated = withChanges(
      definition(),
      [['metadata', 'annotations'], UNKNOWN],
      [[...VERSION, 'served'], false],
    );
    assert.equal(violations(crdStaysCompatible, [annotated], FACTS).length, 1);
    assert.deepEqual(unknowns(crdStaysCompatible, [annotated], FACTS), []);
  });

  it('says when there is no cluster to compare with', () => {
    assert.deepEqual(unknowns(crdStaysCompatible, [definition()]), [
      `${NAME}: there is no cluster to compare it with, so compatibility is not judged.`,
    ]);
  });
});

import assert from 'node:assert/strict';
import type { Definition } from '../../../../components/api/crd-compatibility.ts';
import { readDefinitions } from '../../../../components/api/definitions.ts';
import { differingVersions } from '../../../../components/api/one-schema.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

const FIELD = { type: 'string', description: 'A field.' };

function definition(first: object, second: object, more: Partial<Definition['spec']> = {}): Definition {
  const of = (properties: object): { openAPIV3Schema: object } => ({ openAPIV3Schema: { type: 'object', properties } });
  return {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [
        { name: 'v1alpha1', served: true, storage: false, schema: of(first) as never },
        { name: 'v1beta1', served: true, storage: true, schema: of(second) as never },
      ],
      ...more,
    },
  };
}

describe('the versions of a definition', () => {
  it('have one schema, as those of this repository have', async () => {
    for (const each of await readDefinitions(true)) assert.deepEqual(differingVersions(each), []);
  });

  it('are refused when one knows a field that another does not, also one that is called description', () => {
    for (const field of ['size', 'description']) {
      assert.deepEqual(differingVersions(definition({}, { [field]: FIELD })).map(formatProblem), [
        'CustomResourceDefinition things.example.com: spec.versions[v1alpha1].schema: is another one than that of v1beta1, ' +
          'so a write through one would erase what only the other has. Serve one schema in all versions: new fields go into ' +
          'all of them, and a version is a promise, not a shape.',
      ]);
    }
  });

  it('may differ in words, and in all where something converts them', () => {
    assert.deepEqual(differingVersions(definition({ a: FIELD }, { a: { ...FIELD, description: 'Another.' } })), []);
    const conversion = { strategy: 'Webhook' };
    assert.deepEqual(differingVersions(definition({}, { a: FIELD }, { conversion })), []);
  });

  it('may differ in one that is served no more', () => {
    const { metadata, spec } = definition({}, { a: FIELD });
    const versions = spec.versions.map((version) => ({ ...version, served: version.storage }));
    assert.deepEqual(differingVersions({ metadata, spec: { ...spec, versions } }), []);
  });
});

import assert from 'node:assert/strict';
import { catalogObject } from '../../../../components/catalog/catalog-object.ts';
import { UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { catalogIsSigned } from '../../../../policies/rules/catalog-is-signed.ts';
import { catalog, DIGEST, extension } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';

const KEY = `sha256:${'b'.repeat(64)}`;
const NAME = 'ClusterCatalog c';
const REF = ['spec', 'source', 'image', 'ref'];

function signed(changes: Partial<Parameters<typeof catalogObject>[0]> = {}): object {
  const image = { ref: `registry.example.com/catalog@${DIGEST}` };
  return catalogObject({ name: 'c', source: 'image', image, verified: { digest: DIGEST, key: KEY }, ...changes });
}

describe('catalog-is-signed', () => {
  it('admits an image that was verified, and those that an environment builds', () => {
    const built = ['build', 'checkout'] as const;
    const others = built.map((source) => signed({ source, verified: undefined }));
    assert.deepEqual(violations(catalogIsSigned, [signed(), ...others, catalog(), extension()]), []);
  });

  it('refuses an image that was not verified', () => {
    assert.deepEqual(violations(catalogIsSigned, [signed({ verified: undefined })]), [
      `${NAME} should serve an image whose signature was verified.`,
    ]);
  });

  it('refuses another image than the one that was verified', () => {
    const other = `registry.example.com/catalog@sha256:${'c'.repeat(64)}`;
    assert.deepEqual(violations(catalogIsSigned, [withChanges(signed(), [REF, other])]), [
      `${NAME} should serve the image that was verified, ${DIGEST}, not ${other}.`,
    ]);
    assert.equal(
      violations(catalogIsSigned, [withChanges(signed(), [REF, 'registry.example.com/catalog:1'])]).length,
      1,
    );
  });

  it('refuses the signature of a key that is not on the list', () => {
    assert.deepEqual(violations(catalogIsSigned, [signed()], undefined, { keys: [KEY] }), []);
    assert.deepEqual(violations(catalogIsSigned, [signed()], undefined, { keys: [DIGEST] }), [
      `${NAME} should be signed by one of the keys ${DIGEST}, not by ${KEY}.`,
    ]);
  });

  it('says that an image which is not known yet is not judged', () => {
    assert.equal(unknowns(catalogIsSigned, [withChanges(signed(), [REF, UNKNOWN])]).length, 1);
  });
});

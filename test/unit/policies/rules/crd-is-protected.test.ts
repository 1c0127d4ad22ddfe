import assert from 'node:assert/strict';
import { crdIsProtected } from '../../../../policies/rules/crd-is-protected.ts';
import { definition } from '../../../support/policies/objects.ts';
import { messages, NO_FACTS, subject, withChanges } from '../../../support/policies/support.ts';

function judged(object: object, protect?: boolean): string[] {
  const more = protect === undefined ? {} : { protect };
  return messages(crdIsProtected, [subject(object, more)], NO_FACTS, {}, 'violation');
}

describe('crd-is-protected', () => {
  it('admits a protected CRD, and one in a cluster, where nobody can tell', () => {
    assert.deepEqual(judged(definition(), true), []);
    assert.deepEqual(judged(definition()), []);
  });

  it('refuses a CRD that Pulumi may delete', () => {
    assert.deepEqual(judged(definition(), false), [
      'CustomResourceDefinition inferencestacks.models.titanml.co should be protected: deleting it deletes every stack of every team.',
    ]);
  });

  it("leaves other people's CRDs alone", () => {
    assert.deepEqual(judged(withChanges(definition(), [['spec', 'group'], 'example.com']), false), []);
  });
});

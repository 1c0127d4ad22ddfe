import assert from 'node:assert/strict';
import { UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { extensionIsBounded } from '../../../../policies/rules/extension-is-bounded.ts';
import { extension } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';
import type { Change } from '../../../support/policies/support.ts';

const CATALOG = ['spec', 'source', 'catalog'];
const NAME = 'ClusterExtension inference-stack-operator-v2';

describe('extension-is-bounded', () => {
  const compliant: Record<string, readonly Change[]> = {
    'one channel of the major in its name': [],
    'a version inside that major': [[[...CATALOG, 'version'], '>=2.1, <3']],
    'a declared rollback': [
      [['metadata', 'annotations', 'inference-stack-fleet/rollback-to'], '2.0.1'],
      [[...CATALOG, 'version'], '2.0.1'],
      [[...CATALOG, 'upgradeConstraintPolicy'], 'SelfCertified'],
    ],
    'another package': [
      [[...CATALOG, 'packageName'], 'other-operator'],
      [[...CATALOG, 'channels'], undefined],
    ],
  };
  for (const [what, changes] of Object.entries(compliant)) {
    it(`admits ${what}`, () =>
      assert.deepEqual(violations(extensionIsBounded, [withChanges(extension(), ...changes)]), []));
  }

  const broken: Record<string, readonly [Change, string]> = {
    'no channel': [
      [[...CATALOG, 'channels'], undefined],
      `${NAME} should name its channel, such as stable-v3: without one it takes the highest major there is.`,
    ],
    'two channels': [
      [
        [...CATALOG, 'channels'],
        ['stable-v2', 'fast-v2'],
      ],
      `${NAME} should name one channel, not 2: stable-v2, fast-v2.`,
    ],
    'a channel of no major': [
      [[...CATALOG, 'channels'], ['alpha']],
      `${NAME} should use a channel of one major, such as stable-v3, not alpha.`,
    ],
    'a name of another major': [
      [[...CATALOG, 'channels'], ['stable-v1']],
      `${NAME} should be named inference-stack-operator-v1, as channel stable-v1 says: the name keeps a second one out.`,
    ],
    'an open range': [
      [[...CATALOG, 'version'], '>=2'],
      `${NAME} should have a version range inside one major; ">=2" admits majors: 2, 3 and higher.`,
    ],
    'a range over two majors': [
      [[...CATALOG, 'version'], '^1 || ^2'],
      `${NAME} should have a version range inside one major; "^1 || ^2" admits majors: 1, 2.`,
    ],
    'an empty range': [
      [[...CATALOG, 'version'], '>3, <2'],
      `${NAME} should have a version range inside one major; ">3, <2" admits majors: none.`,
    ],
    'a version of another major': [
      [[...CATALOG, 'version'], '1.x'],
      `${NAME} should have a version of major 2, as its channel says; "1.x" is of major 1.`,
    ],
    'a range that is none': [
      [[...CATALOG, 'version'], 'latest'],
      `${NAME} should have a version range that OLM can read, not "latest".`,
    ],
    'no catalog': [
      [[...CATALOG, 'selector'], undefined],
      `${NAME} should select its catalog by the label olm.operatorframework.io/metadata.name: else any failing catalog stops it.`,
    ],
    'upgrades that leave the graph': [
      [[...CATALOG, 'upgradeConstraintPolicy'], 'SelfCertified'],
      `${NAME} should use upgradeConstraintPolicy CatalogProvided, or declare its version in annotation inference-stack-fleet/rollback-to.`,
    ],
  };
  for (const [what, [change, message]] of Object.entries(broken)) {
    it(`refuses ${what}`, () =>
      assert.deepEqual(violations(extensionIsBounded, [withChanges(extension(), change)]), [message]));
  }

  it('says what it cannot judge in a preview, and judges the rest', () => {
    const object = withChanges(extension(), [[...CATALOG, 'version'], UNKNOWN], [[...CATALOG, 'selector'], undefined]);
    assert.deepEqual(unknowns(extensionIsBounded, [object]), [
      `${NAME}: spec.source.catalog.version is known only after the update.`,
    ]);
    assert.equal(violations(extensionIsBounded, [object]).length, 1);
  });
});

import assert from 'node:assert/strict';
import { stableChannelsOnly } from '../../../../policies/rules/stable-channels-only.ts';
import { catalog, extension } from '../../../support/policies/objects.ts';
import { violations, withChanges } from '../../../support/policies/support.ts';

const SELECTED = ['spec', 'source', 'catalog', 'selector', 'matchLabels', 'olm.operatorframework.io/metadata.name'];

describe('stable-channels-only', () => {
  it('admits stable channels of the production catalog', () => {
    assert.deepEqual(violations(stableChannelsOnly, [extension(), catalog()]), []);
  });

  it('refuses a fast channel', () => {
    assert.deepEqual(violations(stableChannelsOnly, [extension(2, 'fast-v2')]), [
      'ClusterExtension inference-stack-operator-v2 should subscribe to a stable channel, not fast-v2.',
    ]);
  });

  it('refuses an extension that looks into the development catalog', () => {
    assert.deepEqual(
      violations(stableChannelsOnly, [withChanges(extension(), [SELECTED, 'inference-stack-catalog-dev'])]),
      [
        'ClusterExtension inference-stack-operator-v2 should not take versions from development catalog inference-stack-catalog-dev.',
      ],
    );
  });

  it('refuses the development catalog itself', () => {
    assert.deepEqual(violations(stableChannelsOnly, [catalog('inference-stack-catalog-dev')]), [
      'ClusterCatalog inference-stack-catalog-dev should not be in a production cluster: it serves versions under development.',
    ]);
  });

  it('refuses a catalog that says that it comes from a checkout, whatever its name', () => {
    const labels = { 'inference-stack-fleet/catalog-source': 'checkout' };
    const facts = { catalogs: [{ name: 'inference-stack-catalog', labels, packages: [], isKnown: false }] };
    assert.deepEqual(violations(stableChannelsOnly, [catalog(), extension()], facts), [
      'ClusterCatalog inference-stack-catalog should not be in a production cluster: it serves versions under development.',
      'ClusterExtension inference-stack-operator-v2 should not take versions from development catalog inference-stack-catalog.',
    ]);
  });
});

import assert from 'node:assert/strict';
import { readCatalog } from '../../../../components/catalog/read-catalog.ts';
import { writeCatalog } from '../../../../components/catalog/write.ts';
import { sampleCatalog } from '../../../support/olm/sample-catalog.ts';

const NAME = 'inference-stack-operator';

describe('reading a catalog back', () => {
  const catalog = sampleCatalog(['1.0.0', '1.1.0'], ['1.0.0']);
  const sorted = (value: typeof catalog): unknown => ({
    ...value,
    channels: [...value.channels].sort((a, b) => a.name.localeCompare(b.name)),
    bundles: [...value.bundles].sort((a, b) => a.name.localeCompare(b.name)),
  });

  for (const format of ['json', 'yaml'] as const) {
    it(`gives what was written as ${format}`, () => {
      assert.deepEqual(sorted(readCatalog([writeCatalog(catalog, format)], NAME, 'image')), sorted(catalog));
    });
  }

  it('reads every file of an image', () => {
    const parts = writeCatalog(catalog, 'json').split(/\n(?=\{)/);
    assert.deepEqual(sorted(readCatalog(parts, NAME, 'image')), sorted(catalog));
  });

  it('says what a catalog has that lacks the package', () => {
    const other = JSON.stringify({ schema: 'olm.package', name: 'other', defaultChannel: 'stable' });
    assert.throws(() => readCatalog([other], NAME, 'registry.example/catalog:1'), {
      message:
        'registry.example/catalog:1: package inference-stack-operator: is not in the catalog. It has other. Name a catalog that was built from a template of this project.',
    });
  });
});

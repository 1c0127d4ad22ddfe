import assert from 'node:assert/strict';
import { readCatalog, readPackages } from '../../../../components/catalog/read-catalog.ts';
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

  it('tells the packages of one catalog apart, as catalogd serves them: a document a line', () => {
    const other = [
      { schema: 'olm.package', name: 'other', defaultChannel: 'beta' },
      { schema: 'olm.channel', package: 'other', name: 'beta', entries: [] },
      { schema: 'olm.gvk', value: {} },
    ];
    const lines = [...writeCatalog(catalog, 'json').split(/\n(?=\{)/), ...other.map((each) => JSON.stringify(each))];
    const served = readPackages([`${lines.map((line) => JSON.stringify(JSON.parse(line))).join('\n')}\n`]);
    assert.deepEqual(
      served.map((each) => [each.package.name, each.channels.length, each.bundles.length]),
      [
        [NAME, catalog.channels.length, catalog.bundles.length],
        ['other', 1, 0],
      ],
    );
    assert.deepEqual(readPackages(['']), []);
  });

  it('refuses what is not a catalog', () => {
    assert.throws(() => readPackages(['<html>']), {
      message: 'catalog: is not file-based catalog content (got "<html>")',
    });
  });
});

import assert from 'node:assert/strict';
import { renderCatalog } from '../../../../components/catalog/render.ts';
import { parseTemplate } from '../../../../components/catalog/template.ts';
import { writeCatalog } from '../../../../components/catalog/write.ts';
import { tinyBundle } from '../../../support/olm/tiny-bundle.ts';

describe('rendering 500 bundles', () => {
  it('takes less than a second of one processor', () => {
    const versions = Array.from(
      { length: 500 },
      (_, n) => `${Math.floor(n / 100)}.${Math.floor(n / 10) % 10}.${n % 10}`,
    );
    const bundles = new Map(
      versions.map((version) => [
        `example.com/tiny:${version}`,
        tinyBundle(`example.com/tiny:${version}`, { version }),
      ]),
    );
    const list = [...bundles.keys()].map((image) => `{Image: '${image}'}`).join(', ');
    const text = `Schema: olm.semver\nGenerateMajorChannels: true\nFast: {Bundles: [${list}]}\nStable: {Bundles: [${list}]}`;
    const before = process.cpuUsage();
    const catalog = renderCatalog({ template: parseTemplate(text, 'catalog.yaml'), bundles, file: 'catalog.yaml' });
    assert.ok(writeCatalog(catalog, 'json').length > 500_000);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms`);
  });
});

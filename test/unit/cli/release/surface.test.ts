import assert from 'node:assert/strict';
import { readDefinitions } from '../../../../components/api/definitions.ts';
import { compareApi } from '../../../../cli/release/compare-api.ts';
import { askedRights } from '../../../../cli/release/rights.ts';
import { parseSurface, writeSurface, type Surface } from '../../../../cli/release/surface.ts';

describe('the surface of a version', () => {
  it('is read as it was written, and is as good as the definitions themselves', async () => {
    const definitions = await readDefinitions(true);
    const surface: Surface = {
      version: '3.0.0',
      definitions,
      rights: askedRights(3),
      metrics: [{ name: 'requests_total', type: 'counter', labels: ['code'] }],
      stacks: [],
    };
    const written = writeSurface(surface);
    const read = parseSurface(written, 'file');
    assert.deepEqual({ ...read, definitions: [] }, JSON.parse(JSON.stringify({ ...surface, definitions: [] })));
    assert.deepEqual(compareApi(read.definitions, definitions), []);
    assert.deepEqual(compareApi(definitions, read.definitions), []);
    assert.equal(writeSurface(read), written);
  });

  it('has the schema that two versions of the API share once', async () => {
    const of = async (count: number): Promise<number> => {
      const definitions = (await readDefinitions(true)).slice(0, count);
      return writeSurface({ version: '3.0.0', definitions, rights: [], metrics: [], stacks: [] }).length;
    };
    assert.ok((await of(2)) < (await of(1)) * 1.05);
  });

  it('is refused when it was damaged', () => {
    assert.throws(
      () => parseSurface('version: 3.0.0\n', 'catalog/releases/3.0.0.yaml'),
      /^ProblemsError: catalog\/releases\/3\.0\.0\.yaml: is not what `fleet release` writes\. Restore it, /,
    );
  });
});

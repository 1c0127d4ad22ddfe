import assert from 'node:assert/strict';
import { enginesPage } from '../../../../maintenance/engines/page.ts';
import { OPEN_ENGINES } from '../../../../packages/api/engine.ts';
import { ENGINE_TABLES } from '../../../../packages/render/engines/tables.ts';
import { ONWARDS_REVISIONS } from '../../../../packages/render/onwards/table.ts';

const page = enginesPage();

/** The part of the page about an engine, or about the gateway. */
function partOf(name: string): string {
  return page.split('\n## ').find((part) => part.startsWith(`\`${name}\`:`)) ?? '';
}

describe('the page about engines', () => {
  for (const engine of OPEN_ENGINES) {
    it(`has every revision of ${engine} with its image, its port and its arguments`, () => {
      assert.equal(partOf(engine).split('\n### ').length - 1, ENGINE_TABLES[engine].revisions.length);
      for (const facts of ENGINE_TABLES[engine].revisions) {
        const expected = [
          ...(facts.image === undefined ? [] : [`${facts.image.repository}:${facts.image.tag}`]),
          `\`${String(facts.port)}\` (http)`,
          ...facts.arguments.flatMap(({ flags }) => flags),
          ...Object.entries(facts.env).map(([name, value]) => `${name}=${value}`),
        ];
        assert.deepEqual(
          expected.filter((text) => !partOf(engine).includes(text)),
          [],
        );
      }
    });
  }

  it('has every revision of the gateway', () => {
    for (const { image } of ONWARDS_REVISIONS)
      assert.ok(partOf('onwards').includes(`${image.repository}:${image.tag}`));
    assert.match(partOf('onwards'), /--port 3000/);
  });

  it('says once what is the same for all', () => {
    assert.equal(page.split('readOnlyRootFilesystem: true').length, 2);
  });

  it('says which source of a model an engine takes no notice of', () => {
    assert.match(partOf('llamacpp'), /no argument for `model\.revision`/);
    assert.doesNotMatch(partOf('vllm'), /no argument for `model\.revision`/);
  });

  it('tells the variables of a model that is looked up from those of one that is there', () => {
    assert.match(partOf('vllm'), /With `model\.name` also: `HF_TOKEN=\(token of the Secret\)`/);
    assert.match(partOf('vllm'), /With `model\.path` or `model\.image` also: `HF_HUB_OFFLINE=1`/);
  });
});

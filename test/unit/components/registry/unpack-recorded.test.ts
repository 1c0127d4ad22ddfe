import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { FileTree } from '../../../../components/registry/file-tree.ts';
import { layerEntries } from '../../../../components/registry/layer.ts';
import { UnpackBudget } from '../../../../components/registry/unpack-budget.ts';
import { UnpackError } from '../../../../components/registry/unpack-error.ts';
import { writeTar, type TarEntry } from '../../../support/registry/tar.ts';

/** An image, and what OLM's own way to unpack made of it. */
interface RecordedImage {
  readonly layers: readonly (readonly TarEntry[])[];
  readonly recorded: { readonly files: Readonly<Record<string, string>> } | { readonly error: string };
}

/** Recorded once, by a program that calls containerd's archive.Apply as operator-controller does, and reads the files. */
async function recordedImages(): Promise<readonly RecordedImage[]> {
  const file = new URL('unpack.recorded.json', import.meta.url);
  return (JSON.parse(await readFile(file, 'utf8')) as { cases: RecordedImage[] }).cases;
}

/** The files that are read, or nothing when the image is refused. */
async function unpack(layers: RecordedImage['layers']): Promise<Record<string, string> | undefined> {
  const tree = new FileTree(['manifests/']);
  const budget = new UnpackBudget();
  try {
    for (const layer of layers) {
      tree.startLayer();
      const blob = Readable.from([await writeTar(layer)]);
      for await (const entry of layerEntries(blob, (path) => tree.isWanted(path), budget)) tree.apply(entry);
      tree.endLayer();
    }
    return Object.fromEntries(tree.files());
  } catch (error) {
    assert.ok(error instanceof UnpackError, String(error));
    return undefined;
  }
}

/** What is refused although OLM reads it: links, and names that OLM bends back into the image. */
function isBeyondUs(layers: RecordedImage['layers']): boolean {
  return layers.flat().some(({ type, name }) => type === 'symlink' || type === 'link' || name.startsWith('../'));
}

describe('images that OLM has unpacked', () => {
  it('are read as OLM reads them, or refused where links are in the way', async () => {
    for (const { layers, recorded } of await recordedImages()) {
      if ('error' in recorded) continue;
      const files = await unpack(layers);
      if (files === undefined) assert.ok(isBeyondUs(layers), `refused: ${JSON.stringify(layers)}`);
      else assert.deepEqual(files, recorded.files, JSON.stringify(layers));
    }
  });

  it('are refused where OLM fails', async () => {
    for (const { layers, recorded } of await recordedImages()) {
      if ('error' in recorded)
        assert.equal(await unpack(layers), undefined, `${recorded.error}: ${JSON.stringify(layers)}`);
    }
  });
});

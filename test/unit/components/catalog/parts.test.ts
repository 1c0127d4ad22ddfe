import assert from 'node:assert/strict';
import { newestParts, parseParts, PARTS_FILE, writeParts } from '../../../../components/catalog/parts.ts';

const IMAGE = `registry.example.com/fleet/operator-cli@sha256:${'a'.repeat(64)}`;

describe('the record of parts that were released by themselves', () => {
  it('is read as it was written', () => {
    const parts = [{ component: 'cli', version: '3.0.0', image: IMAGE }] as const;
    assert.deepEqual(parseParts(writeParts(parts)), parts);
    assert.deepEqual(parseParts(writeParts([])), []);
  });

  it('is refused where it names a part that there is not', () => {
    const text = `parts:\n- component: toString\n  version: 3.0.0\n  image: ${IMAGE}\n`;
    const expected = `ProblemsError: ${PARTS_FILE}: parts: is not what \`fleet release\` writes`;
    assert.throws(
      () => parseParts(text),
      (error: Error) => String(error).startsWith(expected),
    );
  });

  it('has the newest of each part', () => {
    const version = (component: 'cli' | 'catalog', number: string) => ({ component, version: number, image: IMAGE });
    const parts = [version('cli', '3.0.0'), version('catalog', '3.0.0'), version('cli', '3.0.1')];
    assert.deepEqual(
      newestParts(parts).map((part) => `${part.component} ${part.version}`),
      ['catalog 3.0.0', 'cli 3.0.1'],
    );
  });
});

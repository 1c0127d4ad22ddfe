import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';

const TIERS = ['unit', 'conformance', 'integration', 'fault', 'e2e', 'e2e-long', 'workflows', 'bench'];

/** The sources of the operator are a folder further down, and GitHub's folder is hidden. */
function sourcesOf(folder: string): string[] {
  return [folder, folder.replace(/^controller\b/, 'controller/src'), folder.replace(/^github\b/, '.github')];
}

describe('the tree of tests', () => {
  for (const tier of TIERS) {
    it(`mirrors the tree of sources in test/${tier}`, () => {
      const folders = new Set(globSync('**/*.{test,bench}.ts', { cwd: join(checkout, 'test', tier) }).map(dirname));
      assert.ok(folders.size > 0);
      const strays = [...folders].filter((folder) =>
        sourcesOf(folder).every((source) => !existsSync(join(checkout, source))),
      );
      assert.deepEqual(strays, []);
    });
  }

  it('is explained: every tier, and whatever stands in for something', () => {
    const page = readFileSync(join(checkout, 'test/README.md'), 'utf8');
    const folders = (path: string): string[] =>
      readdirSync(join(checkout, path), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      );
    const untold = (names: readonly string[]): string[] => names.filter((name) => !page.includes(`| \`${name}\` `));
    assert.deepEqual(untold(folders('test').filter((name) => name !== 'support')), []);
    assert.deepEqual(untold(folders('test/support')), []);
  });
});

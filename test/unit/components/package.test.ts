import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { checkout } from '../../../packages/lib/checkout.ts';

const read = (path: string): string => readFileSync(join(checkout, path), 'utf8');

describe('the package of components', () => {
  it('builds exactly the entries that it exports', () => {
    const { exports } = JSON.parse(read('components/package.json')) as { exports: Record<string, { default: string }> };
    const { files } = JSON.parse(read('components/tsconfig.build.json')) as { files: string[] };
    const built = files.map((file) => `./dist/components/${file.replace(/\.ts$/, '.js')}`);
    assert.deepEqual(
      Object.values(exports).map((entry) => entry.default),
      built,
    );
  });

  it('declares every npm package that it imports', async () => {
    const { dependencies, peerDependencies } = JSON.parse(read('components/package.json')) as Record<string, object>;
    const { files } = JSON.parse(read('components/tsconfig.build.json')) as { files: string[] };
    const { metafile } = await build({
      entryPoints: files.map((file) => join(checkout, 'components', file)),
      outdir: 'unwritten',
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
    });
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external),
    );
    const packages = new Set(imported.map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path));
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    assert.deepEqual(
      [...packages].filter((name) => !isBuiltin(name) && !declared.includes(name)),
      [],
    );
    assert.ok(packages.has('tar-stream'));
  });

  it('speaks no words of the Makefile, which other programs do not have', async () => {
    const targets = [...read('Makefile').matchAll(/^([a-z][a-z-]*):/gm)].map(([, target = '']) => target);
    assert.ok(targets.includes('up'));
    const words = new RegExp(`\\bmake (${targets.join('|')})\\b`);
    const speaking: string[] = [];
    for await (const file of glob('components/**/*.ts', { cwd: checkout, exclude: ['components/dist/**'] })) {
      if (words.test(read(file))) speaking.push(file);
    }
    assert.deepEqual(speaking, []);
  });
});

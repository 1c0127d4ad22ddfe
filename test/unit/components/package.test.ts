import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { checkout } from '../../../packages/lib/checkout.ts';

const read = (path: string): string => readFileSync(join(checkout, path), 'utf8');

interface PackageJson {
  readonly exports: Readonly<Record<string, { readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const MANIFEST = JSON.parse(read('components/package.json')) as PackageJson;
const { files: ENTRIES } = JSON.parse(read('components/tsconfig.build.json')) as { readonly files: readonly string[] };

/** The npm packages that the entries import, they themselves or what is built with them. */
async function importedPackages(): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: checkout,
    entryPoints: ENTRIES.map((file) => `components/${file}`),
    ...({ bundle: true, write: false, metafile: true, platform: 'node', packages: 'external' } as const),
    outdir: 'unused',
    format: 'esm',
  });
  const paths = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  const names = paths.map(({ path }) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
  return [...new Set(names)].filter((name) => !name.startsWith('node:'));
}

describe('the package of components', () => {
  it('builds exactly the entries that it exports', () => {
    const built = ENTRIES.map((file) => `./dist/components/${file.replace(/\.ts$/, '.js')}`);
    assert.deepEqual(
      Object.values(MANIFEST.exports).map((entry) => entry.default),
      built,
    );
  });

  it('declares every package that it uses, also those of the rooms below', async () => {
    const declared = Object.keys({ ...MANIFEST.dependencies, ...MANIFEST.peerDependencies });
    const used = await importedPackages();
    assert.ok(used.includes('@pulumi/pulumi'));
    assert.deepEqual(
      used.filter((name) => !declared.includes(name)),
      [],
    );
  });

  /** Files of the package that have such words, in what they say. */
  async function filesWith(words: RegExp): Promise<string[]> {
    const found: string[] = [];
    for await (const file of glob('components/**/*.ts', { cwd: checkout, exclude: ['components/dist/**'] })) {
      const code = read(file).replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
      const texts = code.match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
      if (texts.some((text) => words.test(text))) found.push(file);
    }
    return found;
  }

  it('speaks no words of the Makefile, which other programs do not have', async () => {
    const targets = [...read('Makefile').matchAll(/^([a-z][a-z-]*):/gm)].map(([, target = '']) => target);
    assert.ok(targets.includes('up'));
    assert.deepEqual(await filesWith(new RegExp(`\\bmake (${targets.join('|')})\\b`)), []);
  });

  it('names no settings of the program of this repository either', async () => {
    const settings = read('docs/reference/configuration.md');
    const olm = [
      'mode',
      'version',
      'manifest',
      'manifestSha256',
      'nodeSelector',
      'tolerations',
      'affinity',
      'writers',
      'certificates',
    ];
    const others = ['requireDigests', 'kubeContext'];
    for (const setting of [...olm, ...others]) assert.ok(settings.includes(`\`${setting}\``), setting);
    assert.deepEqual(await filesWith(new RegExp(`\\bolm\\.(${olm.join('|')})\\b|\\b(${others.join('|')})\\b`)), []);
  });
});

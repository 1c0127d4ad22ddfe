import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { checkout } from '../../packages/lib/checkout.ts';
import { standalonePage } from './page.ts';

const SOURCE = join(checkout, 'policies');

/** Pulumi's own packages. Its host looks for both beside the pack; a second copy would not share its state. */
const INSTALLED: readonly string[] = ['@pulumi/policy', '@pulumi/pulumi'];

/** CommonJS packages bundled into an ES module still load Node's modules with `require`. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/**
 * Builds the pack into a folder that works wherever it is copied: the code in one file, the versions released so far,
 * the page about the rules, and a package.json that names what to install beside it.
 */
export async function buildPack(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(SOURCE, 'build/entry.mjs')],
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    external: [...INSTALLED],
    banner: { js: REQUIRE },
    legalComments: 'eof',
    logLevel: 'warning',
  });
  cpSync(join(SOURCE, 'PulumiPolicy.yaml'), join(folder, 'PulumiPolicy.yaml'));
  cpSync(join(checkout, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(checkout, 'catalog/catalog.lock.yaml'), join(folder, 'catalog.lock.yaml'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
  writeFileSync(
    join(folder, 'README.md'),
    standalonePage(readFileSync(join(checkout, 'docs/reference/policies.md'), 'utf8')),
  );
}

/** The package.json of the sources, reduced to the dependencies that are not bundled. */
function manifest(): Manifest {
  const source = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')) as Manifest;
  const fields = Object.entries(source).filter(([field]) => !['scripts', 'devDependencies'].includes(field));
  const installed = Object.entries(source.dependencies).filter(([name]) => INSTALLED.includes(name));
  return { ...Object.fromEntries(fields), dependencies: Object.fromEntries(installed) };
}

if (import.meta.main) await buildPack(join(checkout, 'dist/policies'));

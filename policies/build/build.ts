import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { checkout } from '../../packages/lib/checkout.ts';
import { standalonePage } from './page.ts';

const SOURCE = join(checkout, 'policies');

/** What Pulumi brings. Its host looks for both beside the pack, and a second copy of either would know nothing of the first. */
const INSTALLED: readonly string[] = ['@pulumi/policy', '@pulumi/pulumi'];

/** CommonJS packages in an ES module still ask for the modules of Node by `require`. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/**
 * Makes a folder that is the pack, wherever it is copied to: the code in one file, what was released when it was built, the
 * page about the rules, and a package.json that names what has to be installed beside it.
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

/** The package.json of the sources, with only what is not in the code. */
function manifest(): Manifest {
  const source = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8')) as Manifest;
  const fields = Object.entries(source).filter(([field]) => !['scripts', 'devDependencies'].includes(field));
  const installed = Object.entries(source.dependencies).filter(([name]) => INSTALLED.includes(name));
  return { ...Object.fromEntries(fields), dependencies: Object.fromEntries(installed) };
}

if (import.meta.main) await buildPack(join(checkout, 'dist/policies'));

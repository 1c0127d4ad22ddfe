import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { checkout } from '../../packages/lib/checkout.ts';

const SOURCE = join(checkout, 'cli');
const PACKAGE = '@inference-stack-fleet/fleet';

/** Commands that work on a checkout: what it builds, releases and deploys. */
const OF_CHECKOUT =
  /^\.\.\/commands\/(?:up|preview|down|unlock|forget|env|release|mirror|impact|bundle\/\w+|catalog\/(?:graph|add|promote|withdraw|check|push))\.ts$/;

/** CommonJS packages bundled into an ES module still load Node's modules with `require`. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** What is elsewhere in a package than in a checkout. */
const places: Plugin = {
  name: 'places',
  setup(builder) {
    builder.onResolve({ filter: OF_CHECKOUT }, () => ({ path: join(SOURCE, 'pack/needs-checkout.ts') }));
    builder.onLoad({ filter: /packages\/lib\/checkout\.ts$/ }, () => ({
      contents: 'export const checkout = import.meta.dirname;',
      loader: 'ts',
    }));
    builder.onLoad({ filter: /components\/api\/definitions\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replace('../../packages/api/crds/', './crds/');
      if (contents === text) throw new Error(`${path}: the CRDs are not where they were`);
      return { contents, loader: 'ts' };
    });
  },
};

/** Builds `fleet` into a folder that needs nothing but Node: one file of code, the CRDs, and a package.json. */
export async function buildFleet(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(SOURCE, 'main.ts')],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    plugins: [places],
    banner: { js: REQUIRE },
    legalComments: 'eof',
    logLevel: 'warning',
  });
  writeFileSync(join(folder, 'fleet.mjs'), launcher());
  chmodSync(join(folder, 'fleet.mjs'), 0o755);
  cpSync(join(checkout, 'packages/api/crds'), join(folder, 'crds'), { recursive: true });
  // Where the embedded cluster would be, if this machine has one.
  mkdirSync(join(folder, 'cluster'));
  cpSync(join(checkout, 'cluster/cluster.yaml'), join(folder, 'cluster/cluster.yaml'));
  cpSync(join(checkout, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'README.md'), README);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
}

/** The launcher of the checkout, which tells old versions of Node what is missing. */
function launcher(): string {
  return readFileSync(join(SOURCE, 'fleet.mjs'), 'utf8')
    .replace('./main.ts', './main.mjs')
    .replace(', because it runs TypeScript directly', '')
    .replace(/^.*make env.*\n/m, '');
}

function manifest(): object {
  const { version, license, engines } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly license: string;
    readonly engines: object;
  };
  const description = 'Judges, explains and renders InferenceStacks, and looks at the fleet that serves them.';
  return { name: PACKAGE, version, description, license, type: 'module', engines, bin: { fleet: 'fleet.mjs' } };
}

const README = `# fleet

For those who write InferenceStacks: \`fleet explain -f stack.yaml\` says what will run and what would be refused, \`fleet render\` prints
the objects, \`fleet migrate\` turns a chart's values into a stack, \`fleet status\` and \`fleet audit\` look at a cluster.
\`fleet help\` lists all; commands that work on a checkout of the project say so.
`;

if (import.meta.main) {
  await buildFleet(join(checkout, 'dist/fleet'));
  execFileSync(
    'npm',
    ['pack', '--silent', '--pack-destination', join(checkout, 'dist'), join(checkout, 'dist/fleet')],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
}

import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** One file, so that the image holds nothing but Node and this. */
await build({
  entryPoints: [path('../src/main.ts')],
  outfile: path('../dist/controller.mjs'),
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});

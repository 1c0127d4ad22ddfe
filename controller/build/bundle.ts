import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** One file, so that the image holds nothing but Node and this. */
await build({
  entryPoints: [path('../src/main.ts')],
  outfile: path('../dist/controller.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node22',
  // An ES module that imports node:http loads all that it could export, an HTTP client and WebSockets of no use here among it:
  // a fifth of the time until the first request.
  format: 'cjs',
  minifySyntax: true,
  minifyWhitespace: true,
  // Of use with somebody's kubeconfig that names a proxy, which is then read on their machine, by the sources.
  external: ['https-proxy-agent', 'socks-proxy-agent'],
  legalComments: 'linked',
  logLevel: 'warning',
});

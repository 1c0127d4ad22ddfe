import { build } from 'esbuild';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkout } from '../../packages/lib/checkout.ts';
import { recordSources } from '../../packages/lib/packed.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Tests name another place for it. */
const outfile = resolve(process.argv[2] ?? path('../dist/controller.cjs'));

/** One file, so that the image holds nothing but Node and this. */
const { metafile } = await build({
  entryPoints: [path('../src/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node22',
  // CommonJS starts faster: an ES module that imports node:http loads everything that it exports, also the HTTP client and
  // WebSockets that are not used here. That took a fifth of the time until the first request.
  format: 'cjs',
  minifySyntax: true,
  minifyWhitespace: true,
  // Needed only for a person's kubeconfig that names a proxy, and that is read by the sources on their machine.
  external: ['https-proxy-agent', 'socks-proxy-agent'],
  legalComments: 'linked',
  logLevel: 'warning',
  metafile: true,
});

/** Whoever builds an image of the file can see that it is of the sources as they are: see infra/images/packed-controller.ts. */
const around = [
  fileURLToPath(import.meta.url),
  ...['package-lock.json', 'tsconfig.json'].map((file) => `${checkout}/${file}`),
];
recordSources(outfile, [...Object.keys(metafile.inputs).map((input) => resolve(input)), ...around], checkout);

import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Variables that lead pip, and so the toolchain, to the index. A proxy must not be asked for it. */
const VARIABLES = ['PIP_INDEX_URL', 'NO_PROXY', 'no_proxy'] as const;

/** An index of Python packages on loopback, which this process and its children use until it is stopped. */
export class PackageIndex {
  readonly #server: Server;
  readonly #before = VARIABLES.map((name) => process.env[name]);

  /** Files by project; a page lists each by its sum, as PyPI does. */
  private constructor(projects: Readonly<Record<string, Buffer>>) {
    this.#server = createServer(({ url = '' }, response) => {
      const [, kind, project = ''] = url.split('/');
      const file = projects[project];
      if (file === undefined) response.writeHead(404).end('no such project');
      else if (kind === 'files') response.end(file);
      else response.end(`<a href="../../files/${project}/file?a=1&amp;b=2#sha256=${sumOf(file)}">file</a>`);
    });
  }

  static async start(projects: Readonly<Record<string, Buffer>>): Promise<PackageIndex> {
    const index = new PackageIndex(projects);
    await new Promise<void>((resolve) => index.#server.listen(0, '127.0.0.1', resolve));
    const { port } = index.#server.address() as AddressInfo;
    Object.assign(process.env, {
      PIP_INDEX_URL: `http://127.0.0.1:${port}/simple`,
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
    });
    return index;
  }

  stop(): void {
    this.#server.close();
    for (const [at, name] of VARIABLES.entries()) {
      const value = this.#before[at];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

export function sumOf(file: Buffer): string {
  return createHash('sha256').update(file).digest('hex');
}

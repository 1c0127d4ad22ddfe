import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCa, issueLeaf } from '../../../components/certificates/certificate.ts';
import { HttpClient } from '../../../components/registry/http.ts';
import { eventually } from '../machine/eventually.ts';
import { freePorts } from '../machine/free-port.ts';
import { Program } from '../machine/program.ts';

export interface RegistryServerOptions {
  /** Serve TLS with a certificate of its own authority. */
  readonly tls?: boolean;
  /** Require a user: a line of an htpasswd file. */
  readonly htpasswd?: string;
}

/** A real OCI registry on loopback with its data in a temporary directory. */
export class RegistryServer {
  /** `127.0.0.1:<port>`, the host part of image names. */
  readonly host: string;
  /** PEM of the authority, when it serves TLS. */
  readonly ca: string | undefined;
  readonly #program: Program;
  readonly #directory: string;

  private constructor(host: string, ca: string | undefined, program: Program, directory: string) {
    this.host = host;
    this.ca = ca;
    this.#program = program;
    this.#directory = directory;
  }

  static async start(options: RegistryServerOptions = {}): Promise<RegistryServer> {
    const directory = await mkdtemp(join(tmpdir(), 'registry-'));
    const [port = 0] = await freePorts(1);
    const host = `127.0.0.1:${port}`;
    const ca = options.tls === true ? await writeCertificates(directory) : undefined;
    const config = join(directory, 'config.yml');
    await writeFile(config, JSON.stringify(await configuration(host, directory, options)));
    const program = new Program('docker-registry', ['serve', config], join(directory, 'log'));
    const server = new RegistryServer(host, ca, program, directory);
    const client = new HttpClient(ca === undefined ? {} : { ca });
    try {
      await eventually(() => client.get(new URL(`${ca === undefined ? 'http' : 'https'}://${host}/v2/`)));
    } catch (error) {
      const log = program.tail();
      await server.stop();
      throw new Error(`the registry did not start: ${log}`, { cause: error });
    } finally {
      client.close();
    }
    return server;
  }

  /** Where the registry keeps the bytes of a blob or a manifest. */
  blobFile(digest: string): string {
    const [algorithm = '', hex = ''] = digest.split(':');
    return join(this.#directory, 'data/docker/registry/v2/blobs', algorithm, hex.slice(0, 2), hex, 'data');
  }

  async stop(): Promise<void> {
    await this.#program.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

async function configuration(host: string, directory: string, options: RegistryServerOptions): Promise<object> {
  const passwords = join(directory, 'htpasswd');
  if (options.htpasswd !== undefined) await writeFile(passwords, options.htpasswd);
  return {
    version: 0.1,
    log: { level: 'warn', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(directory, 'data') }, delete: { enabled: true } },
    http: {
      addr: host,
      ...(options.tls === true
        ? { tls: { certificate: join(directory, 'tls.crt'), key: join(directory, 'tls.key') } }
        : {}),
    },
    ...(options.htpasswd === undefined ? {} : { auth: { htpasswd: { realm: 'registry', path: passwords } } }),
  };
}

async function writeCertificates(directory: string): Promise<string> {
  const ca = await issueCa({ commonName: 'registry authority', days: 1 });
  const leaf = await issueLeaf(ca, { commonName: 'registry', ipAddresses: ['127.0.0.1'], usages: ['server'], days: 1 });
  await writeFile(join(directory, 'tls.crt'), leaf.cert);
  await writeFile(join(directory, 'tls.key'), leaf.key);
  return ca.cert;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCa, issueLeaf, type KeyPairPem } from '../../../components/certificates/certificate.ts';
import { Client } from '../../../packages/kube/client/client.ts';
import type { Connection } from '../../../packages/kube/connect/connection.ts';
import { eventually } from '../machine/eventually.ts';
import { freePorts } from '../machine/free-port.ts';
import { Program } from '../machine/program.ts';

/** A test waits this long for a server; on a busy machine an API server takes several seconds. */
const START_TIMEOUT_MS = 60_000;

/** A real etcd and kube-apiserver on loopback, with nothing behind them: no scheduler, no kubelet, no controllers. */
export class ControlPlane {
  readonly #directory: string;
  readonly #ca: KeyPairPem;
  readonly #ports: { etcd: number; peer: number; api: number };
  #etcd: Program | undefined;
  #apiServer: Program | undefined;
  #admin: { connection: Connection; client: Client } | undefined;

  private constructor(directory: string, ca: KeyPairPem, ports: { etcd: number; peer: number; api: number }) {
    this.#directory = directory;
    this.#ca = ca;
    this.#ports = ports;
  }

  /** Starts both servers and waits until the API server says that it is ready. */
  static async start(): Promise<ControlPlane> {
    const directory = await mkdtemp(join(tmpdir(), 'control-plane-'));
    const [etcd = 0, peer = 0, api = 0] = await freePorts(3);
    const ca = await issueCa({ commonName: 'control-plane', days: 1 });
    const plane = new ControlPlane(directory, ca, { etcd, peer, api });
    try {
      await plane.#writeCertificates();
      const connection = await plane.connectionFor('admin', ['system:masters']);
      plane.#admin = { connection, client: new Client(connection) };
      plane.startEtcd();
      plane.startApiServer();
      await plane.ready();
    } catch (error) {
      await plane.stop();
      throw error;
    }
    return plane;
  }

  get server(): URL {
    return new URL(`https://127.0.0.1:${this.#ports.api}`);
  }

  /** The connection of a user who may do everything. */
  get connection(): Connection {
    return this.#administrator().connection;
  }

  get client(): Client {
    return this.#administrator().client;
  }

  /** The connection of a user who may do what RBAC grants to the name and the groups. */
  async connectionFor(user: string, groups: readonly string[] = []): Promise<Connection> {
    const leaf = await issueLeaf(this.#ca, { commonName: user, organizations: groups, usages: ['client'], days: 1 });
    return { server: this.server, ca: this.#ca.cert, ...leaf };
  }

  /** Writes a kubeconfig for kubectl, helm and other programs, and returns its path. */
  async kubeconfig(connection = this.connection): Promise<string> {
    const base64 = (text = ''): string => Buffer.from(text).toString('base64');
    const { namespace = 'default' } = connection;
    const path = join(this.#directory, `kubeconfig-${namespace}`);
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
      clusters: [
        {
          name: 'test',
          cluster: { server: connection.server.origin, 'certificate-authority-data': base64(connection.ca) },
        },
      ],
      users: [
        {
          name: 'test',
          user: { 'client-certificate-data': base64(connection.cert), 'client-key-data': base64(connection.key) },
        },
      ],
    };
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  startEtcd(): void {
    const client = `http://127.0.0.1:${this.#ports.etcd}`;
    const peer = `http://127.0.0.1:${this.#ports.peer}`;
    this.#etcd = new Program(
      'etcd',
      [
        `--data-dir=${join(this.#directory, 'etcd')}`,
        `--listen-client-urls=${client}`,
        `--advertise-client-urls=${client}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=default=${peer}`,
        // The data does not outlive the test, so nothing needs to reach the disk.
        '--unsafe-no-fsync',
        '--log-level=warn',
      ],
      join(this.#directory, 'etcd.log'),
    );
  }

  startApiServer(): void {
    const file = (name: string): string => join(this.#directory, name);
    this.#apiServer = new Program(
      'kube-apiserver',
      [
        `--etcd-servers=http://127.0.0.1:${this.#ports.etcd}`,
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        `--secure-port=${this.#ports.api}`,
        `--tls-cert-file=${file('server.crt')}`,
        `--tls-private-key-file=${file('server.key')}`,
        `--client-ca-file=${file('ca.crt')}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${file('server.crt')}`,
        `--service-account-signing-key-file=${file('server.key')}`,
        '--service-cluster-ip-range=10.0.0.0/16',
        '--authorization-mode=RBAC',
        // No controller creates the default service accounts that this plugin requires.
        '--disable-admission-plugins=ServiceAccount',
        '--endpoint-reconciler-type=none',
      ],
      file('kube-apiserver.log'),
    );
  }

  async stopEtcd(signal?: NodeJS.Signals): Promise<void> {
    await this.#etcd?.stop(signal);
  }

  async stopApiServer(signal?: NodeJS.Signals): Promise<void> {
    await this.#apiServer?.stop(signal);
  }

  /** Resolves when the API server answers and everything behind it is ready. */
  async ready(): Promise<void> {
    await eventually(async () => {
      const ended = [this.#etcd, this.#apiServer].find((program) => program?.running === false);
      if (ended === undefined) await this.client.raw('/readyz');
    }, START_TIMEOUT_MS);
    const ended = [this.#etcd, this.#apiServer].find((program) => program?.running === false);
    if (ended !== undefined) throw new Error(`a server ended at its start. ${ended.tail()}`);
  }

  /** Stops both servers and removes all of their data. */
  async stop(): Promise<void> {
    this.#admin?.client.close();
    // A graceful shutdown would only make tests slow.
    await this.stopApiServer('SIGKILL');
    await this.stopEtcd('SIGKILL');
    await rm(this.#directory, { recursive: true, force: true });
  }

  #administrator(): { connection: Connection; client: Client } {
    if (this.#admin === undefined) throw new Error('the control plane has not been started');
    return this.#admin;
  }

  async #writeCertificates(): Promise<void> {
    const server = await issueLeaf(this.#ca, {
      commonName: 'kube-apiserver',
      ipAddresses: ['127.0.0.1', '10.0.0.1'],
      dnsNames: ['localhost', 'kubernetes', 'kubernetes.default.svc'],
      usages: ['server'],
      days: 1,
    });
    const files = { 'ca.crt': this.#ca.cert, 'server.crt': server.cert, 'server.key': server.key };
    for (const [name, pem] of Object.entries(files)) {
      await writeFile(join(this.#directory, name), pem, { mode: 0o600 });
    }
  }
}

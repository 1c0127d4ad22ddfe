import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { type EmbeddedCluster, embeddedCluster } from '../../../cluster/embedded/description.ts';
import { type Layout, layoutOf } from '../../../cluster/embedded/layout.ts';
import { type ClusterSettings, readSettings } from '../../../cluster/embedded/settings.ts';
import { run } from '../../../packages/lib/command.ts';
import { checkout } from '../../../packages/lib/checkout.ts';

/** An embedded cluster for tests, never the one that a person works with. */
export class TestCluster {
  readonly settings: ClusterSettings;
  readonly layout: Layout;
  readonly env: NodeJS.ProcessEnv;
  readonly #directory: string;

  /** `index` keeps the networks of several test clusters apart, and from the committed settings. */
  constructor(name: string, index: number, change: Partial<ClusterSettings> = {}) {
    const network = {
      link: `10.213.${index}.0/30`,
      pods: `10.${215 + index}.0.0/17`,
      services: `10.${215 + index}.128.0/17`,
    };
    this.settings = { ...readSettings(join(checkout, 'cluster', 'cluster.yaml')), name, network, ...change };
    this.#directory = mkdtempSync(join(tmpdir(), `fleet-${name}-`));
    const config = join(this.#directory, 'cluster.yaml');
    writeFileSync(config, yaml.dump(this.settings));
    const state = join(this.#directory, 'state');
    // Commands that only ask a cluster follow the shell's KUBECONFIG, which may lead to any other.
    this.env = { ...process.env, KUBECONFIG: undefined, CLUSTER_CONFIG: config, CLUSTER_STATE: state };
    this.layout = layoutOf(this.settings, this.env);
  }

  /** Runs a command of the embedded cluster as the Makefile does. */
  async command(name: 'up' | 'down' | 'status' | 'delete'): Promise<string> {
    return run('node', [join(checkout, 'cluster', 'embedded', 'main.ts'), name], { env: this.env });
  }

  async kubectl(args: readonly string[], input?: string): Promise<string> {
    return run('kubectl', [`--kubeconfig=${this.layout.kubeconfig}`, ...args], { input });
  }

  /** Says that the node runs a control plane, as kubeadm does, or takes that back. */
  async labelControlPlane(labelled: boolean): Promise<void> {
    const label = `node-role.kubernetes.io/control-plane${labelled ? '=' : '-'}`;
    await this.kubectl(['label', '--overwrite', 'node', this.settings.name, label]);
  }

  get environment(): EmbeddedCluster {
    const environment = embeddedCluster(this.layout);
    if (environment === undefined) throw new Error('the test cluster was never started');
    return environment;
  }

  async remove(): Promise<void> {
    await this.command('delete');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

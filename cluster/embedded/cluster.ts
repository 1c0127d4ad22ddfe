import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { Client } from '../../packages/kube/client/client.ts';
import { loadConnection } from '../../packages/kube/connect/kubeconfig.ts';
import type { Progress } from '../../packages/lib/progress.ts';
import { binDirectory } from '../../toolchain/places.ts';
import { advertiseGpus, applyBasics, applySimulatedNode } from './api-objects.ts';
import { cgroupExists, ensureCgroup, removeCgroup } from './cgroups.ts';
import type { Component, ComponentContext } from './component.ts';
import { apiServer, controllerManager, etcd, scheduler } from './components/control-plane.ts';
import { containerd, kubelet, kubeProxy } from './components/node.ts';
import { buildkitd, coredns, kwok, registry } from './components/services.ts';
import { ensureCredentials } from './credentials.ts';
import { writeDescription } from './description.ts';
import { makePrivateDirectory } from './files.ts';
import { type Layout, REGISTRY_PORT } from './layout.ts';
import { Machine } from './machine.ts';
import { ensureLink } from './network.ts';
import { ensurePauseImage } from './pause-image.ts';
import { accepts, nodeIsReady, waitFor } from './ready.ts';
import type { ClusterSettings } from './settings.ts';
import { ensureRunning, findProcess } from './supervise.ts';

export const UP_STEPS = 5;

type ComponentMaker = (context: ComponentContext) => Component;

/** Processes that need no other. */
const SERVERS: readonly ComponentMaker[] = [etcd, apiServer, containerd, registry, buildkitd];

/** A component's process; none if it does not run. */
export interface ComponentState {
  readonly name: string;
  readonly pid?: number | undefined;
}

/** One embedded cluster: its parts, and how to start, repair, stop and delete it. */
export class Cluster {
  readonly #layout: Layout;
  readonly #settings: ClusterSettings;
  readonly #machine: Machine;

  constructor(layout: Layout, settings: ClusterSettings) {
    this.#layout = layout;
    this.#settings = settings;
    this.#machine = new Machine(layout);
  }

  /** Brings the cluster up from any state. Returns what had to be started. */
  async up(progress: Progress): Promise<string[]> {
    const layout = this.#layout;
    await progress.run('namespaces, network and credentials', 1, async () => {
      for (const directory of [layout.data, layout.logs, layout.run]) makePrivateDirectory(directory);
      await ensureCredentials(layout);
      writeDescription(layout);
      // The first step that needs privileges, so that a container without them gets one message about it.
      if (this.#machine.holder() === undefined) await this.#machine.start(programPath('catatonit'));
      ensureCgroup(layout.cgroup);
      await ensureLink(layout, this.#machine);
    });
    const started = await progress.run('etcd and API server', 6, async () => {
      const names = await this.#ensure(SERVERS);
      await this.#awaitApiServer();
      return names;
    });
    // These give up when they find no API server, so they start when it answers.
    const rest = await progress.run('controllers, kubelet, proxy and DNS', 2, () => this.#ensure(this.#clients()));
    await progress.run('registry, BuildKit, containerd', 3, () => this.#awaitServices());
    await progress.run('node, GPUs and DNS', 10, () => this.#awaitNode());
    return [...started, ...rest];
  }

  async down(): Promise<boolean> {
    const up = this.#machine.holder() !== undefined;
    await this.#machine.stop();
    return up;
  }

  async delete(): Promise<boolean> {
    const existed = existsSync(this.#layout.root);
    await this.down();
    if (cgroupExists(this.#layout.cgroup)) removeCgroup(this.#layout.cgroup);
    rmSync(this.#layout.root, { recursive: true, force: true });
    return existed;
  }

  status(): ComponentState[] {
    // Names are enough to find processes, so a checkout that has built nothing can inspect a cluster and stop it.
    const context = { ...this.#context(), program: (name: string) => name };
    const makers = [...SERVERS, ...this.#clients()];
    return makers
      .map((make) => make(context))
      .map(({ name }) => ({ name, pid: findProcess(this.#machine, name)?.pid }));
  }

  #clients(): ComponentMaker[] {
    const simulated = this.#settings.simulatedNodes.length > 0 ? [kwok] : [];
    return [controllerManager, scheduler, kubelet, kubeProxy, coredns, ...simulated];
  }

  #context(): ComponentContext {
    return { layout: this.#layout, settings: this.#settings, program: programPath };
  }

  async #ensure(makers: readonly ComponentMaker[]): Promise<string[]> {
    const context = this.#context();
    return ensureRunning(
      makers.map((make) => make(context)),
      this.#machine,
      context,
    );
  }

  async #awaitApiServer(): Promise<void> {
    await this.#withClient(async (client) => {
      await this.#wait('kube-apiserver', 'is not ready', async () => {
        await client.raw('/readyz');
        return true;
      });
      await applyBasics(client, this.#layout);
    });
  }

  async #awaitServices(): Promise<void> {
    const { containerdSocket, buildkitSocket, nodeAddress } = this.#layout;
    await this.#wait('containerd', 'does not answer', () => accepts({ path: containerdSocket }));
    await ensurePauseImage(this.#layout, this.#machine, programPath('ctr'), programPath('catatonit'));
    await this.#wait('buildkitd', 'does not answer', () => accepts({ path: buildkitSocket }));
    await this.#wait('docker-registry', 'does not answer', () => accepts({ host: nodeAddress, port: REGISTRY_PORT }));
  }

  async #awaitNode(): Promise<void> {
    const { name, gpus, simulatedNodes } = this.#settings;
    await this.#withClient(async (client) => {
      await this.#wait('kubelet', 'has not made the node ready', () => nodeIsReady(client, name));
      await advertiseGpus(client, name, gpus);
      for (const node of simulatedNodes) await applySimulatedNode(client, node);
    });
    await this.#wait('coredns', 'does not answer', () => accepts({ host: this.#layout.nodeAddress, port: 53 }));
  }

  async #wait(component: string, what: string, check: () => Promise<boolean>): Promise<void> {
    await waitFor(this.#layout, this.#machine, component, what, check);
  }

  async #withClient(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client(await loadConnection({ kubeconfig: this.#layout.kubeconfig }));
    try {
      await work(client);
    } finally {
      client.close();
    }
  }
}

/** The real path of a program: links of a checkout may change while the cluster runs. */
function programPath(name: string): string {
  const link = join(binDirectory, name);
  if (existsSync(link)) return realpathSync(link);
  const remedy = `Run make tools PROGRAMS="cluster ${name}".`;
  throw new ProblemsError([{ object: 'embedded cluster', path: name, message: 'is not there', remedy }]);
}

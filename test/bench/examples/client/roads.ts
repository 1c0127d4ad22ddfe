import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeAnswer } from '../../../../cli/demo/answer.ts';
import { EMBEDDED_OLM } from '../../../../components/olm/versions.ts';
import { MANAGED_BY_SELECTOR } from '../../../../packages/api/labels.ts';
import { installForeignOlm } from '../../../support/embedded/foreign-olm.ts';
import type { TestCluster } from '../../../support/embedded/test-cluster.ts';
import { answeringStack, ask } from './answer.ts';
import type { Published } from './publisher.ts';
import type { Steps } from './steps.ts';
import type { Stranger } from './stranger.ts';

const STACK = ['--stack=mine', '--non-interactive'];
const UP = ['up', '--yes', '--skip-preview', ...STACK];

/** The roads of docs/how-to/consume-a-release.md, each from an empty cluster to the answer of a model. */
export class Roads {
  readonly #steps: Steps;
  readonly #cluster: TestCluster;
  readonly #stranger: Stranger;
  readonly #published: Published;
  /** What a road has left in the cluster. */
  #standing: { readonly road: string; readonly folder: string } | undefined;

  constructor(steps: Steps, cluster: TestCluster, stranger: Stranger, published: Published) {
    this.#steps = steps;
    this.#cluster = cluster;
    this.#stranger = stranger;
    this.#published = published;
  }

  /** By the program of this repository. */
  async program(): Promise<void> {
    const stranger = this.#stranger;
    await this.#steps.run('(a) clone, npm ci, and every build step removed', () => stranger.fetch());
    stranger.configure(this.#published);
    await stranger.run('pulumi', ['stack', 'init', 'mine']);
    await this.#steps.run('(a) pulumi preview', async () =>
      planOf(await stranger.run('pulumi', ['preview', ...STACK])),
    );
    await this.#steps.run('(a) pulumi up', async () => countOf(await stranger.run('pulumi', UP)));
    await this.#answer('(a)');
    this.#standing = { road: '(a)', folder: stranger.clone };
  }

  /** By ten lines on the package of components. */
  async tenLines(): Promise<void> {
    await this.#empty();
    const stranger = this.#stranger;
    let folder = '';
    await this.#steps.run('(b) npm install of the components', async () => {
      folder = await stranger.project(this.#published);
    });
    await stranger.run('pulumi', ['stack', 'init', 'mine'], folder);
    await this.#steps.run('(b) pulumi up', async () => {
      const output = await stranger.run('pulumi', UP, folder);
      return `${planOf(output)}; ${countOf(output)}`;
    });
    await this.#answer('(b)');
    this.#standing = { road: '(b)', folder };
  }

  /** Without Pulumi: OLM by its own YAML, the rest by one command. */
  async plainYaml(): Promise<void> {
    await this.#empty();
    const stranger = this.#stranger;
    // OLM's own manifest runs on nodes of the control plane alone.
    await this.#cluster.labelControlPlane(true);
    await this.#steps.run(`(c) kubectl apply of OLM ${EMBEDDED_OLM}`, () => installForeignOlm(this.#cluster));
    const file = join(stranger.clone, 'fleet.yaml');
    await this.#steps.run('(c) fleet manifests', async () => {
      const options = ['--catalog-image', this.#published.catalog, '--operator=3', '--guards'];
      const yaml = await stranger.run('npx', [
        ...['--no-install', 'fleet', 'manifests', ...options],
        ...[`--olm-version=${EMBEDDED_OLM}`, '--ca=ca.pem', '--verify=cosign.pub'],
      ]);
      writeFileSync(file, yaml);
      return `${yaml.split(/^---$/m).length - 1} objects`;
    });
    await this.#steps.run('(c) kubectl apply, until the operator is installed', async () => {
      await stranger.run('kubectl', ['apply', '--server-side', '-f', file]);
      const extension = 'clusterextension/inference-stack-operator-v3';
      await stranger.run('kubectl', ['wait', extension, '--for=condition=Installed', '--timeout=5m']);
      const version = 'jsonpath={.status.install.bundle.version}';
      return `v3: ${await stranger.run('kubectl', ['get', extension, '-o', version])}`;
    });
    await this.#answer('(c)');
  }

  async #answer(road: string): Promise<void> {
    const stranger = this.#stranger;
    await this.#steps.run(`${road} kubectl apply of the stack, until it is Ready`, async () => {
      await stranger.run('kubectl', ['apply', '-f', '-'], undefined, answeringStack(this.#cluster));
      await stranger.run('kubectl', ['wait', 'inferencestack/chat', '--for=condition=Ready', '--timeout=5m']);
    });
    await this.#steps.run(`${road} the model answers`, async () => {
      const service = ['get', 'service', 'chat-inference-stack-gateway', '-o', 'jsonpath={.spec.clusterIP}'];
      return describeAnswer('smollm2', await ask(await stranger.run('kubectl', service))).replace(/\s+/g, ' ');
    });
  }

  /** What the road before has built is taken away again, with what a fleet leaves to its teams on purpose. */
  async #empty(): Promise<void> {
    if (this.#standing === undefined) return;
    const { road, folder } = this.#standing;
    const stranger = this.#stranger;
    await this.#steps.run(`${road} the cluster is emptied`, async () => {
      await stranger.run('kubectl', ['delete', 'inferencestacks', '--all', '--all-namespaces']);
      await stranger.run('pulumi', ['state', 'unprotect', '--all', '--yes', ...STACK], folder);
      await stranger.run('pulumi', ['destroy', '--yes', '--skip-preview', ...STACK], folder);
      await stranger.run('kubectl', ['delete', 'customresourcedefinitions,clusterroles', '-l', MANAGED_BY_SELECTOR]);
    });
  }
}

/** What a preview says about the operator. */
function planOf(output: string): string {
  return /v3: \d\S* \(.*\)/.exec(output)?.[0] ?? 'no operator';
}

function countOf(output: string): string {
  return /\+ (\d+) created/.exec(output)?.[0].replace('+ ', '') ?? 'nothing created';
}

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoStack } from '../../../cli/demo/demo-stack.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { run } from '../../../packages/lib/command.ts';
import type { InferenceStackStatus } from '../../../packages/api/status.ts';
import { environmentConfig, type Settings } from '../pulumi/environment-config.ts';
import type { TestCluster } from './test-cluster.ts';

interface Extension {
  readonly metadata: { readonly name: string };
  readonly status?: { readonly install?: { readonly bundle: { readonly version: string } } };
}

/** The fleet in a test cluster, used as a person would: with make and kubectl. */
export class TestFleet {
  readonly #cluster: TestCluster;
  readonly #directory = mkdtempSync(join(tmpdir(), 'fleet-environment-'));

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async make(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    return run('make', args, { cwd: checkout, env: { ...this.#cluster.env, ...env } });
  }

  /** Writes a file for this test and returns its path. */
  write(name: string, text: string): string {
    const path = join(this.#directory, name);
    writeFileSync(path, text);
    return path;
  }

  /** A copy of the committed file of an environment with some settings changed. */
  config(file: string, changes: Settings = {}): string {
    return this.write(file.replaceAll('/', '-'), environmentConfig(file, changes));
  }

  async applyExample(folder: string, file: string): Promise<void> {
    const text = readFileSync(join(checkout, 'examples', folder, file), 'utf8');
    const image = { repository: `${this.#cluster.layout.registry}/demo-runtime`, tag: 'checkout' };
    await this.#cluster.kubectl(
      ['apply', '-f', '-'],
      JSON.stringify(demoStack(text, file, { gateway: image, application: image })),
    );
  }

  /** `<extension> <installed version>` of every extension. */
  async versions(): Promise<readonly string[]> {
    const text = await this.#cluster.kubectl(['get', 'clusterextensions', '-o', 'json']);
    const { items } = JSON.parse(text) as { items: Extension[] };
    return items.map(({ metadata, status }) => `${metadata.name} ${status?.install?.bundle.version ?? 'none'}`);
  }

  /** The operator that has claimed a stack, and its version, once the stack is ready. */
  async servedBy(stack: string): Promise<string> {
    const text = await this.#cluster.kubectl(['get', 'inferencestack', stack, '-o', 'json']);
    const { status } = JSON.parse(text) as { status?: InferenceStackStatus };
    assert.equal(status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True');
    const { operator, version } = status.claim ?? { operator: 'nobody', version: '' };
    return `${operator.split('/').at(-1) ?? ''} ${version}`;
  }

  /** The node requirements of a Deployment of OLM's controllers. */
  async olmNodeSelector(): Promise<unknown> {
    const name = 'operator-controller-controller-manager';
    const text = await this.#cluster.kubectl(['get', 'deployment', '-n', 'olmv1-system', name, '-o', 'json']);
    const { spec } = JSON.parse(text) as { spec: { template: { spec: { nodeSelector?: unknown } } } };
    return spec.template.spec.nodeSelector;
  }

  /** The pods of the stacks, each with its identity, which changes with a restart. */
  async pods(): Promise<string> {
    const columns = 'jsonpath={range .items[*]}{.metadata.name} {.metadata.uid}{"\\n"}{end}';
    return this.#cluster.kubectl(['get', 'pods', '--sort-by=.metadata.name', '-o', columns]);
  }
}

import assert from 'node:assert/strict';
import { mirroredImages } from '../../../cluster/mirror/mirror.ts';
import type { Application, Image, InferenceStack, InferenceStackStatus } from '../../../packages/api/types.ts';
import { textAt } from '../../../packages/lib/json.ts';
import type { TestCluster } from './test-cluster.ts';

const MODEL = '/models/SmolLM2-135M-Instruct.Q4_1.gguf';

/** Stacks of real engines in a test cluster. */
export class Models {
  readonly #cluster: TestCluster;

  constructor(cluster: TestCluster) {
    this.#cluster = cluster;
  }

  /** An application of llama.cpp with the model that its image holds. */
  llama(more: Partial<Application> = {}): Application {
    return {
      engine: 'llamacpp',
      image: this.image('llama-cpp'),
      model: { path: MODEL },
      resources: { requests: { cpu: '50m', memory: '256Mi' }, limits: { cpu: '1', memory: '1Gi' } },
      ...more,
    };
  }

  stack(name: string, namespace: string, spec: InferenceStack['spec']): InferenceStack {
    return {
      apiVersion: 'models.titanml.co/v1beta1',
      kind: 'InferenceStack',
      metadata: { name, namespace, labels: { operatorVersion: 'v3' } },
      spec: { ...spec, gateway: { image: this.image('onwards'), ...spec.gateway } },
    };
  }

  image(name: 'onwards' | 'llama-cpp' | 'node'): Image {
    const [repository = '', digest = ''] = mirroredImages(this.#cluster.layout)[name]?.split('@') ?? [];
    assert.notEqual(repository, '', `no image ${name}: run \`make tools PROGRAMS=serving\``);
    return { repository, digest };
  }

  async apply(stack: InferenceStack): Promise<void> {
    await this.#cluster.kubectl(['apply', '-f', '-'], JSON.stringify(stack));
  }

  async status(name: string, namespace: string): Promise<InferenceStackStatus> {
    const text = await this.#cluster.kubectl(['get', 'istack', name, '-n', namespace, '-o', 'json']);
    return (JSON.parse(text) as InferenceStack).status ?? {};
  }

  /** Waits until the stack is ready with its newest spec. */
  async ready(name: string, namespace: string, seconds = 120): Promise<void> {
    const args = ['wait', '--for=condition=Ready', `istack/${name}`, '-n', namespace, `--timeout=${seconds}s`];
    await this.#cluster.kubectl(args);
  }

  /** The address of a stack's gateway. */
  async url(name: string, namespace: string): Promise<string> {
    const service = ['get', 'service', '-n', namespace, `${name}-inference-stack-gateway`];
    return `http://${await this.#cluster.kubectl([...service, '-o', 'jsonpath={.spec.clusterIP}'])}`;
  }

  /** What a model says, and which application said it. */
  async ask(url: string, model: string, content: string): Promise<{ readonly words: string; readonly by: string }> {
    const question = { model, messages: [{ role: 'user', content }], temperature: 0, max_tokens: 32 };
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const { choices } = JSON.parse(text) as { choices: unknown[] };
    return { words: textAt(choices[0], 'message', 'content'), by: textAt(JSON.parse(text), 'model') };
  }
}

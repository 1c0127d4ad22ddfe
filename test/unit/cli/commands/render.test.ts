import assert from 'node:assert/strict';
import yaml from 'js-yaml';
import { main } from '../../../../cli/main.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

const stack = (name: string, spec = '{}', extra = ''): string => `
apiVersion: models.titanml.co/v1beta1
kind: InferenceStack
metadata: { name: ${name}, labels: { operatorVersion: "2.1" }${extra} }
spec: ${spec}
`;

async function fleet(args: string[], files: Record<string, string>) {
  const io = recordingIo(files);
  return { code: await main(args, io), out: io.stdout(), err: io.stderr() };
}

describe('fleet render', () => {
  it('prints the objects of every stack in every file, in a stable order', async () => {
    const files = { 'a.yaml': `${stack('one')}---\n${stack('two')}`, '-': stack('three') };
    const { code, out, err } = await fleet(['render', '-f', 'a.yaml', '-f', '-'], files);
    assert.deepEqual([code, err], [0, '']);
    const objects = yaml.loadAll(out) as RenderedObject[];
    assert.deepEqual(
      objects.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name),
      ['one-inference-stack-gateway', 'two-inference-stack-gateway', 'three-inference-stack-gateway'],
    );
    assert.equal((await fleet(['render', '-f', 'a.yaml', '-f', '-'], files)).out, out);
  });

  it('prints JSON that kubectl reads as a list', async () => {
    const { out } = await fleet(['render', '-f', 'a.yaml', '-o', 'json'], { 'a.yaml': stack('one') });
    const list = JSON.parse(out) as { kind: string; items: unknown[] };
    assert.deepEqual([list.kind, list.items.length], ['List', 5]);
  });

  it('puts stacks without a namespace into the one that is given', async () => {
    const files = { 'a.yaml': `${stack('one')}---\n${stack('two', '{}', ', namespace: own')}` };
    const { out } = await fleet(['render', '-f', 'a.yaml', '-n', 'team-a'], files);
    const namespaces = (yaml.loadAll(out) as RenderedObject[]).map(({ metadata }) => metadata.namespace);
    assert.deepEqual([...new Set(namespaces)], ['team-a', 'own']);
  });

  it('reports all problems of all stacks on standard error, and prints nothing', async () => {
    const files = {
      'a.yaml': `${stack('one', '{ gateway: { replicaCount: -1, ingres: {} } }')}---\n${stack('two', '{ applications: { gateway: {} } }')}`,
    };
    const { code, out, err } = await fleet(['render', '-f', 'a.yaml'], files);
    assert.deepEqual([code, out], [1, '']);
    assert.match(
      err,
      /^a\.yaml:5: InferenceStack one: spec\.gateway\.replicaCount: must be at least 0 \(got -1\)\. Use a number from 0 to 1000\.\n/,
    );
    assert.match(err, /InferenceStack one: spec\.gateway\.ingres: is not a field of this API\./);
    assert.match(err, /InferenceStack two: spec\.applications: application names must/);
  });

  it('checks whether an operator of a version serves the stack', async () => {
    const render = (version: string) =>
      fleet(['render', '-f', 'a', '--operator-version', version], { a: stack('one') });
    assert.equal((await render('2.1.0')).code, 0);
    assert.match((await render('2.0.9')).err, /asks for operator 2\.1\.0 or newer, but 2\.0\.9 is installed/);
    assert.match((await render('3.0.0')).err, /asks for major 2, which operator 3\.0\.0 does not serve/);
    assert.equal((await render('two')).code, 2);
  });

  it('notes what has no effect, beside the objects', async () => {
    const { code, err } = await fleet(['render', '-f', 'a'], {
      a: stack('one', '{ applications: { llama: { readerConfig: { modelName: m }, service: { x: 1 } } } }'),
    });
    assert.equal(code, 0);
    assert.match(err, /^note: InferenceStack default\/one: spec\.applications\.llama\.service: has no effect/);
  });

  it('notes a setting that is nearly a known one', async () => {
    const { code, err } = await fleet(['render', '-f', 'a'], {
      a: stack('one', '{ applications: { llama: { readerConfig: { modelName: m, tensorParralel: 2 } } } }'),
    });
    assert.equal(code, 0);
    assert.equal(
      err,
      'note: InferenceStack default/one: spec.applications.llama.readerConfig.tensorParralel: ' +
        'is not a known setting; did you mean tensorParallel?\n',
    );
  });

  it('explains its options, and what it does not understand', async () => {
    assert.match((await fleet(['render', '--help'], {})).out, /^Usage: fleet render/);
    assert.equal((await fleet(['render'], {})).code, 2);
    assert.equal((await fleet(['render', '-f', 'a', '-o', 'xml'], {})).code, 2);
    assert.equal((await fleet(['render', '--colour'], {})).code, 2);
  });
});

describe('fleet explain', () => {
  it('says what runs where and why', async () => {
    const spec = `
  gateway: { replicaCount: 2, ingress: { enabled: true, hosts: [{ host: api.example.com }] } }
  applications:
    gemma: { readerConfig: { modelName: org/gemma }, modelsVolume: { hostPath: { path: /models } }, rollout: recreate }
    llama:
      readerConfig: { modelName: org/llama, consumerGroup: chat }
      gpu: { count: 2, product: NVIDIA-A100, minMemory: 40Gi }
      modelCache: { size: 200Gi, accessMode: ReadWriteMany }
      scaling: { enabled: true }
    sleepy: { suspend: true }`;
    const { out, code } = await fleet(['explain', '-f', 'a'], { a: stack('chat', spec) });
    assert.equal(code, 0);
    assert.equal(
      out,
      `InferenceStack default/chat, served by operator v2, 2.1.0 or newer
  gateway: 2 pods of tytn/takeoff-pro:0.22.0-rc20-cpu, reached at api.example.com
  gemma: org/gemma on cpu, asked for as "primary"
    1 pod of tytn/takeoff-pro:0.22.0-rc20-gpu
    where: any node, no GPU
    models: in the volume models (hostPath)
    changes: all pods stop before the first new one starts
  llama: org/llama on cuda, asked for as "chat"
    1 to 4 pods, by consumerGroupSize 10, of tytn/takeoff-pro:0.22.0-rc20-gpu
    where: nodes with 2 free nvidia.com/gpu for each pod, of product NVIDIA-A100, with at least 40Gi of memory each
    models: a claim of 200Gi, kept when the stack goes
    changes: by what GPUs are free then: a new pod first, one after the other, or all at once
  sleepy: TitanML/dummy_model on cpu, asked for as "primary"
    no pods, because it is suspended, of tytn/takeoff-pro:0.22.0-rc20-gpu
    where: any node, no GPU
    models: in memory, loaded anew by every pod
    changes: by what GPUs are free then: a new pod first, one after the other, or all at once
  note: spec.applications.sleepy.readerConfig.modelName: is not set, so TitanML/dummy_model answers. Name the model.
  note: spec.applications.sleepy.readerConfig.consumerGroup: is used by gemma, which serves another model: either of them answers (got "primary"). Give each model a consumerGroup of its own.
`,
    );
  });

  it('says how the applications of one name share its requests, weights that nobody wrote included', async () => {
    const spec = `
  applicationTemplate: { engine: llamacpp, aliases: [chat] }
  applications:
    canary: { model: { name: org/new }, weight: 10 }
    old: { model: { name: org/older }, suspend: true }
    own: { model: { name: org/own }, aliases: [own] }
    stable: { model: { name: org/old } }`;
    const { out } = await fleet(['explain', '-f', 'a'], { a: stack('chat', spec) });
    assert.deepEqual(
      out.split('\n').filter((line) => line.includes('shared')),
      ['  shared: "chat" by canary (weight 10) and old (weight 0) and stable (weight 1)'],
    );
  });

  it('says where a model without a volume is looked for', async () => {
    const models = async (path: string): Promise<string | undefined> => {
      const spec = `{ applications: { own: { engine: llamacpp, model: { path: ${path} } } } }`;
      const { out } = await fleet(['explain', '-f', 'a'], { a: stack('chat', spec) });
      return /models: (.*)/.exec(out)?.[1];
    };
    assert.equal(await models('/models/m.gguf'), '/models/m.gguf, in the image');
    assert.equal(await models('m.gguf'), '/mnt/models/m.gguf, in the container');
  });

  it('says of a stack without applications that nothing is served', async () => {
    const { out } = await fleet(['explain', '-f', 'a'], { a: stack('chat') });
    assert.match(out, /\n {2}no applications, so no model is served\n$/);
  });

  it('says which settings are nearly known ones', async () => {
    const { code, out } = await fleet(['explain', '-f', 'a'], {
      a: stack('chat', '{ applications: { llama: { readerConfig: { modelName: m, tensorParralel: 2 } } } }'),
    });
    assert.equal(code, 0);
    assert.match(
      out,
      /\n {2}note: spec\.applications\.llama\.readerConfig\.tensorParralel: is not a known setting; did you mean tensorParallel\?\n$/,
    );
  });
});

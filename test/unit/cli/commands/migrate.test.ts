import assert from 'node:assert/strict';
import yaml from 'js-yaml';
import { main } from '../../../../cli/main.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

const VALUES = `
modelGroups:
  llm:
    enabled: true
    image: { repository: registry.example.com/server, tag: v1 }
    modelAlias: [llm]
    modelName: org/llm
    containerPort: 8000
    command: [serve, org/llm]
    resources: { limits: { memory: 8Gi } }
    podSecurityContext: { runAsUser: 1000 }
networkPolicy: { enabled: true }
`;

async function migrate(files: Record<string, string>, ...args: readonly string[]) {
  const io = recordingIo(files);
  const named = Object.keys(files).flatMap((file) => ['--values', file]);
  return { code: await main(['migrate', ...named, ...args], io), out: io.stdout(), err: io.stderr() };
}

function stackOf(out: string): InferenceStack {
  return yaml.load(out) as InferenceStack;
}

describe('fleet migrate', () => {
  it('prints an InferenceStack that fleet render accepts', async () => {
    const { code, out } = await migrate({ 'values.yaml': VALUES }, '--name', 'chat', '--namespace', 'team-a');
    assert.equal(code, 0);
    const { apiVersion, kind, metadata, spec } = stackOf(out);
    assert.deepEqual([apiVersion, kind], ['models.titanml.co/v1beta1', 'InferenceStack']);
    assert.deepEqual(metadata, { name: 'chat', namespace: 'team-a', labels: { operatorVersion: 'v3' } });
    assert.deepEqual(Object.keys(spec.applications ?? {}), ['llm']);
    const io = recordingIo({ '-': out });
    assert.equal(await main(['render', '-f', '-'], io), 0, io.stderr());
    assert.match(io.stdout(), /name: chat-inference-stack-llm\n/);
  });

  it('names no namespace unless it is told, so that kubectl chooses it', async () => {
    const { out } = await migrate({ 'values.yaml': VALUES }, '--operator-version', '1.2');
    assert.deepEqual(stackOf(out).metadata, { name: 'inference-stack', labels: { operatorVersion: '1.2' } });
  });

  it('says on standard error what it could not convert, with the file, the path and what to do', async () => {
    const { code, err } = await migrate({
      'values.yaml': VALUES.replace('networkPolicy:', 'configMaps: { files: {} }\nnetworkPolicy:'),
    });
    assert.equal(code, 0);
    assert.equal(
      err,
      'note: values.yaml: onwards.service: is called inference-stack-gateway from now on, not inference-stack-onwards. ' +
        'Let clients in the cluster ask that one; an Ingress is converted.\n' +
        'note: values.yaml: configMaps.files: cannot be converted: the operator makes no ConfigMap inference-stack-files. ' +
        "Keep the release's, or make one of that name.\n",
    );
  });

  it('never shows a key', async () => {
    const { out, err } = await migrate({
      'values.yaml': VALUES.replace('modelName', 'apiKey: sk-secret\n    modelName'),
    });
    assert.match(err, /modelGroups\.llm\.apiKey: cannot be converted/);
    assert.doesNotMatch(out + err, /sk-secret/);
  });

  it('lays files over each other as Helm does', async () => {
    const { code, out, err } = await migrate({
      'base.yaml': VALUES,
      '-': 'modelGroups: { llm: { modelName: null, image: { tag: v2 }, command: [other] } }',
    });
    assert.equal(code, 0);
    assert.match(err, /^note: base\.yaml, standard input: /);
    const { image, command, model } = stackOf(out).spec.applications?.['llm'] ?? {};
    assert.deepEqual(
      [image, command, model],
      [{ repository: 'registry.example.com/server', tag: 'v2', pullPolicy: 'IfNotPresent' }, ['other'], undefined],
    );
  });

  it('takes values of 1.8.2 by their keys', async () => {
    const values = 'applications: { llama: { readerConfig: { modelName: org/llama } } }';
    const { code, out } = await migrate({ 'values.yaml': values });
    assert.equal(code, 0);
    assert.equal(stackOf(out).spec.applications?.['llama']?.readerConfig?.modelName, 'org/llama');
    assert.equal((await migrate({ 'values.yaml': 'nameOverride: x' }, '--chart', '1.8.2')).code, 0);
  });
});

/** What is wrong with values, the values, and the one line that says so. */
const REFUSED: readonly (readonly [title: string, text: string, line: string])[] = [
  ['are empty', '', 'values.yaml: is empty. Check that it is the right file.'],
  [
    'are not YAML',
    'a: b: sk-secret',
    'values.yaml: is not valid YAML: line 1, column 5: bad indentation of a mapping entry. Check the indentation and the quotes there, and a line above.',
  ],
  ['are UTF-16', 'a\0', 'values.yaml: is not UTF-8 text. Save it as UTF-8.'],
  ['are a list', '- a', 'values.yaml: holds no values, which are a map'],
  ['are a text', 'hello', 'values.yaml: holds no values, which are a map'],
  [
    'are two documents',
    'modelGroups: {}\n---\nonwards: {}',
    'values.yaml: holds several documents, of which Helm reads the first. Put each into a file of its own.',
  ],
  [
    'are of another chart',
    'replicaCount: 1',
    'values.yaml: holds no values of the chart inference-stack: it has none of the keys gateway, applications, ' +
      'applicationTemplate for 1.8.2; modelGroups, onwards for 0.4.4. Give what helm get values <release> -o yaml prints.',
  ],
  [
    'are of both charts',
    'onwards: {}\ngateway: {}',
    'values.yaml: has keys of two charts: gateway, onwards. Say which one it is for, with --chart 1.8.2 or 0.4.4.',
  ],
  [
    'are a stack',
    'apiVersion: models.titanml.co/v1beta1\nkind: InferenceStack\nspec: {}',
    'values.yaml: is an InferenceStack already. See what it becomes with fleet explain -f.',
  ],
  [
    'have groups that are no map',
    'modelGroups: [a]',
    'modelGroups: must be of type object. Write a map, with each entry under its name.',
  ],
  [
    'have an image in one word, and its tag beside it',
    'modelGroups: { a: { enabled: true, image: vllm/vllm-openai, tag: latest } }',
    'modelGroups.a.image: must be of type object (got "vllm/vllm-openai"). Write a map; its fields are pullPolicy, repository, tag.',
  ],
  [
    'have a switch in quotes, which Helm takes for true',
    'modelGroups: { a: { enabled: "false" } }',
    'modelGroups.a.enabled: must be of type boolean (got "false"). Write true or false, without quotes.',
  ],
  [
    'have variables in a map, which may be secrets',
    'modelGroups: { a: { enabled: true, env: { TOKEN: sk-secret } } }',
    'modelGroups.a.env: must be of type array. Write a list, such as [first, second].',
  ],
  [
    'have variables in a map, which may be secrets, and are of 1.8.2',
    'applications: { a: { env: { TOKEN: sk-secret } } }',
    'InferenceStack inference-stack: spec.applications.a.env: must be of type array. Write a list, such as [first, second].',
  ],
  [
    'have a variable that is a number, which may be a secret',
    'applications: { a: { env: [{ name: TOKEN, value: 123456 }] } }',
    'InferenceStack inference-stack: spec.applications.a.env[0].value: must be of type string. Write it in quotes.',
  ],
  [
    'have a token that is a number',
    'applications: { a: { readerConfig: { accessToken: 123456 } } }',
    'InferenceStack inference-stack: spec.applications.a.readerConfig.accessToken: must be of type string. Write it in quotes.',
  ],
  [
    'have a probe of an unknown type',
    'modelGroups: { a: { enabled: true, startupProbe: { enabled: true, type: grpc } } }',
    'modelGroups.a.startupProbe.type: must be one of http, tcp (got "grpc"). Choose one of them.',
  ],
  [
    'have no image',
    'modelGroups: { a: { enabled: true } }',
    'InferenceStack inference-stack: spec.applications: openai needs image.repository, since it stands for any image that serves the OpenAI API; violated by a',
  ],
  [
    'have a port that needs root',
    'modelGroups: { a: { enabled: true, image: { repository: r }, containerPort: 80 } }',
    'InferenceStack inference-stack: spec.applications.a.port: must be at least 1024 (got 80). Use a number from 1024 to 65535.',
  ],
];

describe('values that fleet migrate refuses', () => {
  for (const [title, text, line] of REFUSED) {
    it(`${title}: one line says so, and nothing is printed`, async () => {
      const { code, out, err } = await migrate({ 'values.yaml': text });
      assert.deepEqual([err, out, code], [`${line}\n`, '', 1]);
    });
  }

  it('are told all at once', async () => {
    const group = '{ enabled: 1, command: serve, args: [8000], replicaCount: -1, modelAlias: x }';
    const { code, err } = await migrate({ 'values.yaml': `modelGroups: { a: ${group} }` });
    assert.equal(code, 1);
    assert.deepEqual(
      err.split('\n').map((line) => line.split(':')[0]),
      ['enabled', 'command', 'args[0]', 'replicaCount', 'modelAlias']
        .map((field) => `modelGroups.a.${field}`)
        .concat(''),
    );
  });

  it('are files that are not there', async () => {
    const io = recordingIo();
    assert.equal(await main(['migrate', '--values', 'gone.yaml'], io), 1);
    assert.equal(io.stderr(), 'gone.yaml: there is no such file. Check the path, and the folder that you are in.\n');
  });

  it('are too large to be served, or stand for billions of values', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `{ name: V${String(index)}, value: ${'x'.repeat(1000)} }`);
    const env = `modelGroups: { a: { enabled: true, image: { repository: r }, env: [${texts.join(', ')}] } }`;
    assert.match(
      (await migrate({ 'values.yaml': env })).err,
      /^InferenceStack inference-stack: spec: comes to 3\d\d KiB/,
    );
    const tenfold = (name: string, of: string): string => `${name}: &${name} [${Array(10).fill(of).join(', ')}]\n`;
    const letters = Array.from('abcdefghi');
    const bomb = letters.map((letter, index) => tenfold(letter, index === 0 ? '1' : `*${letters[index - 1] ?? ''}`));
    const { code, err } = await migrate({ 'values.yaml': `${bomb.join('')}modelGroups: { a: *i }` });
    assert.deepEqual([code, err], [1, 'values.yaml: holds more than 100000 values\n']);
  });

  it('may be null anywhere, which says nothing', async () => {
    const keys = ['image', 'service', 'env', 'command', 'startupProbe', 'resources', 'persistentVolumes', 'volumes'];
    const group = `{ enabled: true, ${keys
      .slice(1)
      .map((key) => `${key}: null`)
      .join(', ')}, image: { repository: r, tag: null } }`;
    const rest = ['onwards', 'ingress', 'networkPolicy', 'serviceMonitor', 'configMaps', 'nameOverride'];
    const values = `modelGroups: { a: ${group}, b: null }\n${rest.map((key) => `${key}: null\n`).join('')}`;
    const { code, out } = await migrate({ 'values.yaml': values });
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(stackOf(out).spec.applications ?? {}), ['a']);
    assert.equal((await migrate({ 'values.yaml': 'modelGroups: null' })).code, 0);
  });

  it('have to be given, for a chart that is known, with a name and an operator that there can be', async () => {
    const values = { 'values.yaml': VALUES };
    assert.equal((await migrate({})).code, 2);
    assert.equal((await migrate(values, '--chart', '2.0.0')).code, 2);
    assert.match((await migrate(values, '--name', 'Chat')).err, /metadata\.name: must consist of lower-case letters/);
    assert.match(
      (await migrate(values, '--operator-version', 'newest')).err,
      /^--operator-version: is not an operator version/,
    );
  });
});

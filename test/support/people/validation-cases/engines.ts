import type { OpenObject } from '../../../../packages/lib/json.ts';
import { app, type ValidationCase } from './validation-case.ts';

const MODEL = { name: 'Qwen/Qwen3-0.6B' };
const GGUF = { url: 'https://models.example/tiny.gguf' };
const VLLM = { engine: 'vllm', model: MODEL };
const TRIGGERS = [{ type: 'cron' }];

/** Applications that take what they do not set from a template. */
const templated = (applicationTemplate: OpenObject, applications: OpenObject): OpenObject => ({
  applicationTemplate,
  applications,
});

/** Rules about engines, models and the kind of gateway. */
export const ENGINES: readonly ValidationCase[] = [
  {
    title: 'every open engine in one stack',
    spec: {
      applications: {
        one: VLLM,
        two: { engine: 'sglang', model: { path: 'qwen' } },
        three: { engine: 'llamacpp', model: GGUF },
        four: { engine: 'openai', image: { repository: 'my/server' } },
      },
    },
  },
  {
    title: 'takeoff beside external',
    spec: { applications: { one: { engine: 'takeoff' }, two: { engine: 'external' } } },
  },
  {
    title: 'an engine and a model from the template',
    spec: templated(VLLM, { one: {}, two: { model: { path: 'two' } } }),
  },
  {
    title: 'an engine from the template, and an image for it',
    spec: templated({ engine: 'openai', image: { repository: 'a/b' } }, { one: {} }),
  },
  { title: 'the gateway onwards before there are applications', spec: { gateway: { kind: 'onwards' } } },
  { title: 'a gateway of the kind that suits the engines', spec: { gateway: { kind: 'onwards' }, ...app(VLLM) } },
  { title: 'null for a kind of gateway', spec: { gateway: { kind: null, config: null }, ...app(VLLM) } },
  { title: 'null for what an open engine does not take', spec: app({ ...VLLM, readerConfig: null }) },
  { title: 'null for further sources of a model', spec: app({ engine: 'vllm', model: { ...MODEL, url: null } }) },
  { title: 'a template’s model for an application whose own is null', spec: templated(VLLM, { one: { model: null } }) },
  {
    title: 'an address in the template where each application has another model',
    spec: templated({ engine: 'vllm', model: GGUF }, { one: { model: MODEL } }),
  },
  {
    title: 'revisions as number, as text and in one word',
    spec: {
      applications: Object.fromEntries(
        [1, '2', 'operator'].map((engineRevision, index) => [`a${String(index)}`, { ...VLLM, engineRevision }]),
      ),
    },
  },
  {
    title: 'triggers for an open engine, from the template',
    spec: templated({ scaling: { spec: { triggers: TRIGGERS } } }, { one: { ...VLLM, scaling: { enabled: true } } }),
  },
  {
    title: 'a secret and a revision for a model of Hugging Face',
    spec: app({ engine: 'vllm', model: { ...MODEL, revision: 'main', tokenSecret: { name: 'hf' } } }),
  },

  {
    title: 'an engine that does not exist',
    spec: app({ engine: 'triton' }),
    path: 'spec.applications.llama.engine',
    message: /must be one of/,
  },
  ...['vllm', 'sglang', 'llamacpp'].map((engine): ValidationCase => ({
    title: `${engine} without a model`,
    spec: app({ engine }),
    path: 'spec.applications',
    message: /need model.*violated by llama/,
  })),
  {
    title: 'openai without an image',
    spec: app({ engine: 'openai', model: MODEL }),
    path: 'spec.applications',
    message: /openai needs image\.repository/,
  },
  {
    title: 'openai with a tag and no repository',
    spec: app({ engine: 'openai', image: { tag: 'v1' } }),
    path: 'spec.applications',
    message: /openai needs image\.repository/,
  },
  {
    title: 'a model for takeoff',
    spec: app({ model: MODEL }),
    path: 'spec.applications',
    message: /use readerConfig\.modelName/,
  },
  {
    title: 'a model for external',
    spec: app({ engine: 'external', model: MODEL }),
    path: 'spec.applications',
    message: /use readerConfig\.modelName/,
  },
  {
    title: 'a template’s model for takeoff',
    spec: templated({ model: MODEL }, { one: {} }),
    path: 'spec.applications',
    message: /violated by one/,
  },
  {
    title: 'readerConfig for an open engine',
    spec: app({ ...VLLM, readerConfig: {} }),
    path: 'spec.applications',
    message: /readerConfig is for takeoff/,
  },
  {
    title: 'a template’s readerConfig for an open engine',
    spec: templated({ readerConfig: {} }, { one: VLLM }),
    path: 'spec.applications',
    message: /readerConfig is for takeoff/,
  },
  {
    title: 'an address for vllm',
    spec: app({ engine: 'vllm', model: GGUF }),
    path: 'spec.applications',
    message: /model\.url is for/,
  },
  {
    title: 'an address for sglang, from the template',
    spec: templated({ model: GGUF }, { one: { engine: 'sglang' } }),
    path: 'spec.applications',
    message: /model\.url is for/,
  },
  {
    title: 'scaling of an open engine without triggers',
    spec: app({ ...VLLM, scaling: { enabled: true } }),
    path: 'spec.applications',
    message: /scaling\.spec\.triggers/,
  },
  {
    title: 'an open engine beside takeoff',
    spec: { applications: { one: VLLM, two: {} } },
    path: 'spec.applications',
    message: /make two stacks.*violated by two/,
  },
  {
    title: 'an open engine behind the gateway takeoff',
    spec: { gateway: { kind: 'takeoff' }, ...app(VLLM) },
    path: 'spec.applications',
    message: /must suit the gateway.*llama/,
  },
  {
    title: 'takeoff behind the gateway onwards',
    spec: { gateway: { kind: 'onwards' }, ...app({}) },
    path: 'spec.applications',
    message: /must suit the gateway.*llama/,
  },
  {
    title: 'a kind of gateway that does not exist',
    spec: { gateway: { kind: 'nginx' } },
    path: 'spec.gateway.kind',
    message: /must be one of/,
  },
  {
    title: 'gateway.config for the gateway onwards',
    spec: { gateway: { kind: 'onwards', config: {} } },
    path: 'spec.gateway.config',
    message: /is for the gateway takeoff/,
  },
  {
    title: 'gateway.config in front of an open engine',
    spec: { gateway: { config: {} }, ...app(VLLM) },
    path: 'spec.gateway.config',
    message: /is for the gateway takeoff/,
  },
  {
    title: 'a model without source',
    spec: app({ engine: 'vllm', model: {} }),
    path: 'spec.applications.llama.model',
    message: /exactly one source/,
  },
  {
    title: 'a model with two sources',
    spec: app({ engine: 'llamacpp', model: { ...MODEL, ...GGUF } }),
    path: 'spec.applications.llama.model',
    message: /exactly one source/,
  },
  {
    title: 'a template’s model with two sources',
    spec: templated({ model: { ...MODEL, path: 'a' } }, {}),
    path: 'spec.applicationTemplate.model',
    message: /exactly one source/,
  },
  {
    title: 'a revision of a model that has no name',
    spec: app({ engine: 'vllm', model: { path: 'a', revision: 'main' } }),
    path: 'spec.applications.llama.model',
    message: /belong to a name on Hugging Face/,
  },
  {
    title: 'a token for a model that has no name',
    spec: app({ engine: 'vllm', model: { path: 'a', tokenSecret: { name: 'hf' } } }),
    path: 'spec.applications.llama.model',
    message: /belong to a name on Hugging Face/,
  },
  {
    title: 'an address that is none',
    spec: app({ engine: 'llamacpp', model: { url: 'ftp://a' } }),
    path: 'spec.applications.llama.model.url',
    message: /^must /,
  },
  {
    title: 'a revision of 0',
    spec: app({ ...VLLM, engineRevision: 0 }),
    path: 'spec.applications.llama.engineRevision',
    message: /at least 1/,
  },
  {
    title: 'a revision in another word',
    spec: app({ ...VLLM, engineRevision: 'newest' }),
    path: 'spec.applications.llama.engineRevision',
    message: /^must /,
  },
  {
    title: 'a weight over 1000',
    spec: app({ ...VLLM, weight: 1001 }),
    path: 'spec.applications.llama.weight',
    message: /at most 1000/,
  },
  {
    title: 'a port for the privileged',
    spec: app({ ...VLLM, port: 80 }),
    path: 'spec.applications.llama.port',
    message: /at least 1024/,
  },
  {
    title: 'shared memory without unit',
    spec: app({ shmSize: '8' }),
    path: 'spec.applications.llama.shmSize',
    message: /^must /,
  },
];

import assert from 'node:assert/strict';
import type { Application, Model } from '../../../../../packages/api/types.ts';
import type { OpenObject } from '../../../../../packages/lib/json.ts';
import { at, podOf } from '../../../../support/people/stacks.ts';

const PLACES: Record<string, Pick<Application, 'modelsVolume' | 'modelCache'>> = {
  'no place for models': {},
  'a models volume': { modelsVolume: { hostPath: { path: '/models' } } },
  'a cache': { modelCache: { size: '1Gi' } },
};

interface Served {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, unknown>>;
  /** Mount paths, by the names of their volumes. */
  readonly mounts: Readonly<Record<string, string>>;
  readonly volumes: readonly OpenObject[];
}

function served(model: Model, more: Application = {}): Served {
  const pod = podOf({ applications: { chat: { engine: 'vllm', model, ...more } } }, 'chat');
  const list = (path: string): OpenObject[] => (at(pod, path) ?? []) as OpenObject[];
  return {
    args: (at(pod, 'containers.0.args') ?? []) as string[],
    env: Object.fromEntries(
      list('containers.0.env').map(({ name, value, valueFrom }) => [name, value ?? valueFrom] as [string, unknown]),
    ),
    mounts: Object.fromEntries(
      list('containers.0.volumeMounts').map(({ name, mountPath }) => [name, mountPath] as [string, string]),
    ),
    volumes: list('volumes'),
  };
}

function modelOf({ args }: Served, flag = '--model'): string | undefined {
  return args[args.indexOf(flag) + 1];
}

describe('a model', () => {
  for (const [what, place] of Object.entries(PLACES)) {
    const keeps = Object.keys(place).length > 0;

    it(`by its name is loaded into ${keeps ? 'the volume' : 'the cache of the pod'}, with ${what}`, () => {
      const found = served({ name: 'org/model', revision: 'v1' }, place);
      assert.equal(modelOf(found), 'org/model');
      assert.equal(modelOf(found, '--revision'), 'v1');
      assert.equal(found.env['HF_HOME'], keeps ? '/mnt/models/huggingface' : '/cache/huggingface');
      assert.equal(found.env['HF_HUB_OFFLINE'], undefined);
      assert.equal(found.mounts['models'], keeps ? '/mnt/models' : undefined);
    });

    it(`by a path is looked for there, and nowhere else, with ${what}`, () => {
      const relative = served({ path: 'qwen/small' }, place);
      assert.equal(modelOf(relative), '/mnt/models/qwen/small');
      assert.equal(modelOf(served({ path: '/opt/qwen' }, place)), '/opt/qwen');
      assert.equal(relative.env['HF_HUB_OFFLINE'], '1');
      assert.equal(relative.env['HF_HOME'], undefined);
      assert.equal(relative.mounts['models'], keeps ? '/mnt/models' : undefined);
    });

    it(`by an address is fetched by llama.cpp, with ${what}`, () => {
      const url = 'https://example.com/model.gguf?download=true';
      const found = served({ url }, { engine: 'llamacpp', ...place });
      assert.equal(modelOf(found, '--model-url'), url);
      const file = keeps
        ? /^\/mnt\/models\/huggingface\/[0-9a-f]{8}-model\.gguf$/
        : /^\/cache\/huggingface\/[0-9a-f]{8}-model\.gguf$/;
      assert.match(modelOf(found) ?? '', file);
      assert.equal(found.env['LLAMA_CACHE'], keeps ? '/mnt/models/huggingface' : '/cache/huggingface');
      assert.equal(found.args.includes('--offline'), false);
    });

    it(`in an image is mounted from it, with ${what}`, () => {
      const image = { reference: 'registry.example/model:1', pullPolicy: 'Never', path: '/weights' } as const;
      const found = served({ image }, place);
      assert.equal(modelOf(found), '/mnt/model/weights');
      assert.equal(modelOf(served({ image: { reference: 'm:1' } }, place)), '/mnt/model');
      assert.equal(found.mounts['model'], '/mnt/model');
      const volume = { name: 'model', image: { reference: image.reference, pullPolicy: 'Never' } };
      assert.deepEqual(found.volumes.at(-1), volume);
      assert.equal(found.mounts['models'], keeps ? '/mnt/models' : undefined);
      assert.equal(found.env['HF_HUB_OFFLINE'], '1');
    });
  }

  it('by an address has a file that no other address has', () => {
    const fileOf = (url: string): string => modelOf(served({ url }, { engine: 'llamacpp' })) ?? '';
    const urls = ['https://a.example/m.gguf', 'https://b.example/m.gguf', 'https://b.example/m.gguf?v=2'];
    assert.equal(new Set(urls.map(fileOf)).size, urls.length);
    // Parts of a model are found by their names.
    assert.match(fileOf('https://a.example/m-00001-of-00002.gguf'), /-m-00001-of-00002\.gguf$/);
    for (const url of ['https://a.example', 'https://a.example/x/', 'https://a.example/$(id)%20`']) {
      assert.match(fileOf(url), /^\/cache\/huggingface\/[\w.-]+$/, url);
    }
  });

  it('that asks for a token gets it from its Secret, and the user’s variable before that', () => {
    const tokenSecret = { name: 'hugging-face' };
    const secretKeyRef = { name: 'hugging-face', key: 'token' };
    assert.deepEqual(served({ name: 'org/model', tokenSecret }).env['HF_TOKEN'], { secretKeyRef });
    const other = served({ name: 'org/model', tokenSecret: { ...tokenSecret, key: 'read' } });
    assert.deepEqual(other.env['HF_TOKEN'], { secretKeyRef: { ...secretKeyRef, key: 'read' } });
    const env = [{ name: 'HF_TOKEN', value: 'own' }];
    assert.equal(served({ name: 'org/model', tokenSecret }, { env }).env['HF_TOKEN'], 'own');
  });

  it('of an application replaces the template’s as a whole', () => {
    const template = { engine: 'vllm', model: { name: 'org/model', revision: 'v1' } } as const;
    const pod = podOf({ applicationTemplate: template, applications: { chat: { model: { path: '/m' } } } }, 'chat');
    const args = at(pod, 'containers.0.args') as string[];
    assert.equal(args[0], '/m');
    assert.equal(args.includes('--revision'), false);
  });
});

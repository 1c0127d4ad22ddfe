import assert from 'node:assert/strict';
import { OPEN_ENGINES } from '../../../../packages/api/engine.ts';
import type { Application } from '../../../../packages/api/types.ts';
import { noticesOf } from '../../../support/people/notices.ts';
import { at, objectsOf } from '../../../support/people/stacks.ts';

const MODEL = { name: 'org/model' };
const IMAGE = { repository: 'registry.example/own', tag: '1' };

/** What is told of an application on a GPU, without its path. */
function told(application: Application, revisions?: Record<string, number>): string[] {
  const defaults = { runtimeVersion: '1.0.0', ...(revisions === undefined ? {} : { revisions }) };
  const notices = noticesOf({ applications: { chat: { gpu: {}, ...application } } }, { defaults });
  return notices.map((notice) => notice.replace('spec.applications.chat.', ''));
}

describe('notices about an open engine', () => {
  for (const engine of OPEN_ENGINES) {
    it(`are none for one that is as it should be: ${engine}`, () => {
      assert.deepEqual(told({ engine, model: MODEL, ...(engine === 'openai' ? { image: IMAGE } : {}) }), []);
    });
  }

  it('tell of a model that is looked for where nothing is mounted', () => {
    const notice =
      'model.path: is looked for in /mnt/models, where nothing is mounted (got "qwen/small"). ' +
      'Set modelsVolume or modelCache.';
    const model = { path: 'qwen/small' };
    assert.deepEqual(told({ engine: 'vllm', model }), [notice]);
    const elsewhere = { volumeMounts: [{ name: 'm', mountPath: '/mnt/models-too' }] };
    assert.deepEqual(told({ engine: 'vllm', model, ...elsewhere }), [notice]);
    const places: Application[] = [
      { modelsVolume: { emptyDir: {} } },
      { modelCache: { size: '1Gi' } },
      { volumeMounts: [{ name: 'm', mountPath: '/mnt/models/' }] },
      { volumeMounts: [{ name: 'm', mountPath: '/mnt' }] },
      { volumeMounts: [{ name: 'm', mountPath: '/mnt/models/qwen' }] },
    ];
    for (const place of places) assert.deepEqual(told({ engine: 'vllm', model, ...place }), [], JSON.stringify(place));
    assert.deepEqual(told({ engine: 'vllm', model: { path: '/models/qwen' } }), []);
  });

  it('tell of an image with a model where the file in it is not named, which llama.cpp needs', () => {
    const model = { image: { reference: 'm:1' } };
    assert.deepEqual(told({ engine: 'llamacpp', model }), [
      'model.image.path: is not set, and llama.cpp loads a file, not a folder. Name the GGUF file in the image.',
    ]);
    assert.deepEqual(told({ engine: 'llamacpp', model: { image: { ...model.image, path: 'm.gguf' } } }), []);
    assert.deepEqual(told({ engine: 'vllm', model }), []);
  });

  it('tell of what an engine has no argument for', () => {
    const openai = { engine: 'openai', image: IMAGE, model: { url: 'https://example.com/m' } } as const;
    assert.deepEqual(told(openai), [
      'model.url: has no effect: no argument of any server of the OpenAI API is known for it. Say it in args.',
    ]);
    assert.deepEqual(told({ ...openai, args: ['--model', 'https://example.com/m'] }), []);
    assert.deepEqual(told({ ...openai, command: ['serve', 'https://example.com/m'] }), []);
    assert.equal(told({ ...openai, model: { ...MODEL, revision: 'v1' } }).length, 1);
  });

  it('tell of a port that the Service does not lead to', () => {
    const notice =
      'args: is not the port that the Service leads to, which is 8000 (got "--port 9000"). Set port instead.';
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, args: ['--port', '9000'] }), [notice]);
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, command: ['serve', '--port=9000'] }), [notice]);
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, port: 9000, args: ['--port', '9000'] }), []);
    const args = ['--port', '$(PORT)'];
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, args, env: [{ name: 'PORT', value: '8000' }] }), []);
    assert.equal(told({ engine: 'vllm', model: MODEL, args, env: [{ name: 'PORT', value: '9000' }] }).length, 1);
  });

  it('tell of a name of the model that only the cluster knows', () => {
    const args = ['--served-model-name', '$(NAME)'];
    const valueFrom = { configMapKeyRef: { name: 'c', key: 'k' } };
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, args, env: [{ name: 'NAME', valueFrom }] }), [
      'args: names the model by a variable that the operator does not know, so the engine is asked by the names of clients (got "--served-model-name $(NAME)"). Write the name, or the value of the variable.',
    ]);
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, args, env: [{ name: 'NAME', value: 'own' }] }), []);
  });

  it('tell of a key, which the gateway does not send', () => {
    const notice = 'makes the engine refuse every request: the gateway sends no key';
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, args: ['--api-key=x'] }), [`args: ${notice}. Remove it.`]);
    const env = [{ name: 'OTHER' }, { name: 'LLAMA_API_KEY', valueFrom: {} }];
    assert.deepEqual(told({ engine: 'llamacpp', model: MODEL, env }), [
      `env: ${notice} (got "LLAMA_API_KEY"). Remove it.`,
    ]);
    // Nobody knows what it means to an image of one's own.
    assert.deepEqual(told({ engine: 'openai', image: IMAGE, args: ['--api-key', 'x'] }), []);
  });

  it('tell of an image without a tag', () => {
    const notice =
      'image.tag: is not set, so the pods run whatever is the latest image when they start. Set a tag or a digest.';
    assert.deepEqual(told({ engine: 'openai', image: { repository: 'own' } }), [notice]);
    assert.deepEqual(told({ engine: 'openai', image: { repository: 'own', tag: '' } }), [notice]);
    assert.deepEqual(told({ engine: 'openai', image: { repository: 'own', digest: `sha256:${'0'.repeat(64)}` } }), []);
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, image: { repository: 'mirror.example/vllm' } }), []);
  });

  it('tell of a tag in the repository, behind which another one is put', () => {
    const notice = (repository: string): string =>
      'image.repository: has a tag or a digest in it, and another one is put behind it, so no node can pull it ' +
      `(got "${repository}"). Write them as image.tag or image.digest.`;
    for (const repository of ['vllm/vllm-openai:v0.10.0', 'mirror.example:5000/vllm@sha256:0']) {
      assert.deepEqual(told({ engine: 'vllm', model: MODEL, image: { repository } }), [notice(repository)]);
    }
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, image: { repository: 'mirror.example:5000/vllm' } }), []);
    assert.deepEqual(told({ engine: 'openai', image: { repository: 'own:1' } }), []);
    assert.deepEqual(told({ engine: 'openai', image: { repository: 'own:1', tag: '2' } }), [notice('own:1')]);
  });

  it('tell of a model that is named by its address', () => {
    const name = 'https://huggingface.co/org/model';
    assert.deepEqual(told({ engine: 'vllm', model: { name } }), [
      `model.name: is an address, and the engine wants the name of a model on Hugging Face (got "${name}"). Write owner/model.`,
    ]);
    assert.deepEqual(told({ engine: 'openai', image: IMAGE, model: { name } }), []);
  });

  it('tell of a flag and its value in one argument, and keep the value to themselves', () => {
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, args: ['--max-model-len 8192'] }), [
      'args: is one argument with a space in it, which the engine does not know (got "--max-model-len …"). ' +
        'Write the flag and its value as two entries.',
    ]);
    const args = ['--max-model-len', '8192', '--override={"a": 1}', 'a text'];
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, args }), []);
  });

  it('tell of a revision that this operator does not know', () => {
    const notice =
      'engineRevision: is not known to this operator, whose newest, 1, is used (got 9). Use a newer operator.';
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, engineRevision: 9 }), [notice]);
    for (const engineRevision of [1, '1', 'operator']) {
      assert.deepEqual(told({ engine: 'vllm', model: MODEL, engineRevision }), []);
    }
  });

  it('tell of a revision of the gateway that this operator does not know', () => {
    const chat = { engine: 'vllm', model: MODEL, gpu: {} } as const;
    const gateway = (revision: number | string): string[] =>
      noticesOf(
        { gateway: { revision }, applications: { chat } },
        { defaults: { runtimeVersion: '1.0.0', revisions: { onwards: 9 } } },
      );
    assert.deepEqual(gateway(7), [
      'spec.gateway.revision: is not known to this operator, whose newest, 1, is used (got 7). Use a newer operator.',
    ]);
    assert.deepEqual(gateway(1), []);
    assert.deepEqual(gateway('operator'), []);
  });

  it('tell once of revisions that a stack keeps from a newer operator', () => {
    const notice =
      'status.defaults.revisions: comes from a newer operator for vllm, onwards, and this one uses the newest that it has. ' +
      'Upgrade this operator.';
    const revisions = { vllm: 3, onwards: 2, sglang: 9 };
    assert.deepEqual(told({ engine: 'vllm', model: MODEL }, revisions), [notice]);
    assert.deepEqual(told({ engine: 'vllm', model: MODEL }, { vllm: 1, onwards: 1, sglang: 9 }), []);
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, engineRevision: 1 }, { vllm: 3 }), []);
  });

  it('tell of scaling that nothing triggers, and make no object for it', () => {
    const scaling = { enabled: true, spec: { triggers: [] } };
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, replicaCount: 2, scaling }), [
      'scaling.spec.triggers: is empty, so nothing scales the application: it stays at 2 pods. Say what it is scaled by.',
    ]);
    const chat = { engine: 'vllm', model: MODEL, replicaCount: 2, scaling } as const;
    const objects = objectsOf({ applications: { chat } });
    assert.equal(objects['ScaledObject/chat'], undefined);
    assert.equal(at(objects['Deployment/chat'], 'spec.replicas'), 2);
  });

  it('find no misspelt settings, since open engines have none', () => {
    const scaling = { enabled: true, spec: { triggers: [{ type: 'cron' }] } };
    assert.deepEqual(told({ engine: 'vllm', model: MODEL, scaling, drain: { seconds: 5 } }), []);
  });

  it('take a probe by the name of the engine’s own port for one that is answered', () => {
    const probe = (port: string): object => ({ httpGet: { path: '/health', port } });
    const ports = [{ name: 'grpc', containerPort: 50051 }];
    const chat = { engine: 'vllm', model: MODEL, ports } as const;
    assert.deepEqual(told({ ...chat, livenessProbe: { ...probe('http') }, startupProbe: { ...probe('grpc') } }), []);
    assert.deepEqual(told({ ...chat, startupProbe: { ...probe('htp') } }), [
      'startupProbe.httpGet.port: is not a port of the container, so nothing answers (got "htp"). Use http 8000, grpc 50051.',
    ]);
  });
});

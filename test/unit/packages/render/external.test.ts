import assert from 'node:assert/strict';
import type { Application, InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { OpenObject } from '../../../../packages/lib/json.ts';
import { render } from '../../../../packages/render/render.ts';
import { at, contextWith, objectsOf, podOf, stackWith } from '../../../support/people/stacks.ts';

const spec = (llama: Application): InferenceStackSpec => ({
  applications: { llama: { engine: 'external', ...llama } },
});
const pod = (llama: Application): OpenObject => podOf(spec(llama), 'llama');
const container = (llama: Application, index: number): OpenObject =>
  at(pod(llama), `containers.${index}`) as OpenObject;
const engine = (llama: Application): OpenObject => container(llama, 0);
const sidecar = (llama: Application): OpenObject => container(llama, 1);

describe('an external engine', () => {
  it('runs beside a reader of the gateway, and only the engine has the models and the shared memory', () => {
    const config = { name: 'config', mountPath: '/code/config.yaml', subPath: 'config.yaml' };
    assert.deepEqual(pod({})['containers'], [
      {
        name: 'chat-inference-stack-llama-engine',
        image: 'tytn/engine:1.1.4-sglang',
        imagePullPolicy: 'IfNotPresent',
        env: [
          { name: 'TAKEOFF_ADD_READER_ID_SUFFIX', value: 'true' },
          { name: 'TAKEOFF_HEADLESS', value: 'true' },
          { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'ENGINE_PORT', value: '3000' },
        ],
        livenessProbe: { httpGet: { path: '/health', port: 3000 }, initialDelaySeconds: 600, periodSeconds: 10 },
        volumeMounts: [config, { name: 'dshm', mountPath: '/dev/shm' }, { name: 'models', mountPath: '/code/models' }],
      },
      {
        name: 'chat-inference-stack-llama-sidecar',
        image: 'tytn/gateway:0.3.4-py',
        imagePullPolicy: 'IfNotPresent',
        env: [
          { name: 'TAKEOFF_SGLANG_API_URL', value: 'http://localhost:3000' },
          { name: 'TAKEOFF_HEADLESS', value: 'true' },
        ],
        volumeMounts: [config],
      },
    ]);
  });

  it('is told its port, and so are its probe, its reader and the configuration file', () => {
    const application = { readerConfig: { enginePort: 30000 } };
    assert.deepEqual(at(engine(application), 'env.3'), { name: 'ENGINE_PORT', value: '30000' });
    assert.equal(at(engine(application), 'livenessProbe.httpGet.port'), 30000);
    assert.equal(at(sidecar(application), 'env.0.value'), 'http://localhost:30000');
    const config = (of: Application): unknown => at(objectsOf(spec(of))['ConfigMap/llama'], 'data', 'config.yaml');
    assert.match(String(config(application)), /engine_port: 30000\n/);
    assert.doesNotMatch(String(config({})), /engine_port/);
  });

  it('is told to compute embeddings unless that is said to be false', () => {
    const said = (isEmbedding: string | number | boolean): unknown =>
      (engine({ readerConfig: { isEmbedding } })['env'] as OpenObject[]).find(({ name }) => name === 'IS_EMBEDDING');
    assert.deepEqual(said(true), { name: 'IS_EMBEDDING', value: 'true' });
    assert.deepEqual(said('false'), { name: 'IS_EMBEDDING', value: 'false' });
    for (const no of [false, 0, '']) assert.equal(said(no), undefined);
  });

  it('takes the user’s word for every variable, in both containers', () => {
    const env = [{ name: 'ENGINE_PORT', value: '4000' }];
    assert.deepEqual(at(engine({ env }), 'env.0'), env[0]);
    assert.equal((engine({ env })['env'] as unknown[]).length, 4);
    const own = [
      { name: 'LEVEL', value: 'debug' },
      { name: 'TAKEOFF_HEADLESS', value: 'false' },
    ];
    const url = { name: 'TAKEOFF_SGLANG_API_URL', value: 'http://localhost:3000' };
    assert.deepEqual(sidecar({ sidecar: { env: own } })['env'], [url, ...own]);
  });

  it('has images of its own, of which the user replaces any part', () => {
    const images = (of: Application): unknown[] => [engine(of)['image'], sidecar(of)['image']];
    assert.deepEqual(
      images({ externalEngineImage: { repository: 'registry.example/engine' }, sidecarImage: { tag: '2.0' } }),
      ['registry.example/engine:1.1.4-sglang', 'tytn/gateway:2.0'],
    );
    assert.deepEqual(images({ externalEngineImage: { tag: '' }, sidecarImage: { tag: '' } }), [
      'tytn/engine:1.1.4-sglang',
      'tytn/gateway:0.3.4-py',
    ]);
    const digest = `sha256:${'a'.repeat(64)}`;
    assert.deepEqual(images({ image: { repository: 'other' }, sidecarImage: { digest, pullPolicy: 'Always' } }), [
      'tytn/engine:1.1.4-sglang',
      `tytn/gateway@${digest}`,
    ]);
    const { applications } = render(stackWith(spec({})), contextWith());
    assert.equal(applications['llama']?.image, 'tytn/engine:1.1.4-sglang');
  });

  it('has the application’s probes, ports and resources, and the reader those of the sidecar', () => {
    const probe = { httpGet: { path: '/ready', port: 3000 } };
    const ports = [{ containerPort: 3000, name: 'engine' }];
    const fields = { livenessProbe: probe, readinessProbe: probe, startupProbe: probe, ports };
    const its = engine({ ...fields, gpu: { count: 2 } });
    assert.deepEqual(
      Object.keys(fields).map((field) => its[field]),
      Object.values(fields),
    );
    assert.equal(at(its, 'resources.limits', 'nvidia.com/gpu'), 2);
    const beside = sidecar({
      gpu: {},
      sidecar: { ports: [{ containerPort: 3004 }], resources: { limits: { cpu: 1 } } },
    });
    assert.deepEqual(beside['ports'], [{ containerPort: 3004 }]);
    assert.deepEqual(beside['resources'], { limits: { cpu: 1 } });
    assert.equal(at(engine({ livenessProbe: {} }), 'livenessProbe.httpGet.path'), '/health');
  });

  it('drains together with the reader, through which its requests come', () => {
    const application = { drain: { seconds: 30 } };
    const lifecycle = { preStop: { sleep: { seconds: 30 } } };
    assert.deepEqual([engine(application)['lifecycle'], sidecar(application)['lifecycle']], [lifecycle, lifecycle]);
  });

  it('gets names that fit where the stack’s are long', () => {
    const applications = { ['a'.repeat(30)]: { engine: 'external' as const } };
    const { objects } = render(stackWith({ applications, fullnameOverride: 'b'.repeat(32) }), contextWith());
    const made = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('a'));
    const containers = at(made, 'spec.template.spec.containers') as { name: string }[];
    assert.deepEqual(
      containers.map(({ name }) => name),
      [`${'b'.repeat(32)}-${'a'.repeat(23)}-engine`, `${'b'.repeat(32)}-${'a'.repeat(22)}-sidecar`],
    );
  });
});

describe('a pod of takeoff or of an external engine', () => {
  for (const application of [{ engine: 'takeoff' }, { engine: 'external' }] satisfies Application[]) {
    it(`runs its init containers first, with as much shared memory as it asks for (${application.engine})`, () => {
      const initContainers = [{ name: 'fetch', image: 'registry.example/fetch:1' }];
      const its = pod({ ...application, initContainers, shmSize: '8Gi' });
      assert.deepEqual(its['initContainers'], initContainers);
      assert.deepEqual(at(its, 'volumes.1'), { name: 'dshm', emptyDir: { medium: 'Memory', sizeLimit: '8Gi' } });
      assert.deepEqual(at(pod(application), 'volumes.1'), { name: 'dshm', emptyDir: { medium: 'Memory' } });
    });

    it(`has a startup probe where one is given (${application.engine})`, () => {
      const startupProbe = { httpGet: { path: '/healthz', port: 3000 }, failureThreshold: 60 };
      assert.deepEqual(engine({ ...application, startupProbe })['startupProbe'], startupProbe);
      assert.equal(engine(application)['startupProbe'], undefined);
    });
  }

  it('is not asked whether it lives, unless its engine is external', () => {
    assert.equal(engine({ engine: 'takeoff' })['livenessProbe'], undefined);
    assert.notEqual(engine({})['livenessProbe'], undefined);
  });
});

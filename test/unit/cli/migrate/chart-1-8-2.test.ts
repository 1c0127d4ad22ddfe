import assert from 'node:assert/strict';
import { convertChart182 } from '../../../../cli/migrate/chart-1-8-2.ts';
import type { OpenObject } from '../../../../packages/lib/json.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { at } from '../../../support/people/stacks.ts';

const LIVENESS = { httpGet: { path: '/healthz', port: 3000 }, initialDelaySeconds: 600, periodSeconds: 10 };

const specOf = (values: unknown): unknown => convertChart182(values).spec;
const notices = (values: unknown): string[] => convertChart182(values).notices.map(formatProblem);

describe('values of chart 1.8.2', () => {
  it('become a spec in which the chart’s defaults are written out where the operator has others', () => {
    const spec = {
      gateway: { image: { repository: 'tytn/gateway', tag: '0.3.5' } },
      applicationTemplate: { image: { tag: '0.22.0-rc23-gpu' }, shmSize: '2Gi', livenessProbe: LIVENESS },
      applications: {},
    };
    for (const nothing of [{}, null, undefined]) {
      assert.deepEqual(convertChart182(nothing), { spec, notices: [] });
    }
  });

  it('keep what they say', () => {
    const values = {
      imagePullSecrets: [{ name: 'regcred' }],
      fullnameOverride: 'chat',
      serviceAccount: { create: false, name: 'models' },
      gateway: { image: { repository: 'registry.example/gateway', tag: '1' }, replicaCount: 2 },
      applicationTemplate: { engine: 'external', image: { tag: '2' }, shmSize: '8Gi' },
      applications: { llama: { readerConfig: { modelName: 'org/llama', enginePort: 8000 }, replicaCount: 3 } },
    };
    assert.deepEqual(convertChart182(values), { spec: values, notices: [] });
  });

  it('are not changed by the conversion', () => {
    const values = {
      applications: { llama: { env: [{ name: 'A', value: 'b' }], readerConfig: { maxBatchSize: '8' } } },
    };
    const before = structuredClone(values);
    convertChart182(values);
    assert.deepEqual(values, before);
  });

  it('that are no map are told, and give the chart’s defaults', () => {
    assert.deepEqual(notices(['a']), ['is not a map of values (got ["a"])']);
  });

  it('that the chart does not read are left out and told, lest they mean something in a stack', () => {
    const values = {
      global: {},
      gateway: { kind: 'onwards', image: { digest: 'sha256:0' } },
      applicationTemplate: { gpu: { count: 2 } },
      applications: { llama: { sidecar: { securityContext: {} } } },
    };
    assert.deepEqual(notices(values), [
      'global: is left out: the chart does not read it',
      'gateway.kind: is left out: the chart does not read it',
      'gateway.image.digest: is left out: the chart does not read it',
      'applicationTemplate.gpu: is left out: the chart does not read it',
      'applications.llama.sidecar.securityContext: is left out: the chart does not read it',
    ]);
    assert.deepEqual(Object.keys(specOf(values) as object), ['gateway', 'applicationTemplate', 'applications']);
    assert.equal(at(specOf(values), 'applicationTemplate.gpu'), undefined);
  });
});

describe('the liveness probe of chart 1.8.2', () => {
  const probes = (applicationTemplate: OpenObject, applications: OpenObject): unknown[] => {
    const spec = specOf({ applicationTemplate, applications });
    const layers = ['applicationTemplate', ...Object.keys(applications).map((name) => `applications.${name}`)];
    return layers.map((layer) => at(spec, `${layer}.livenessProbe`));
  };

  it('is in the template where all applications have it', () => {
    assert.deepEqual(probes({}, { llama: {}, gemma: { livenessProbe: {} } }), [LIVENESS, undefined, {}]);
  });

  it('is in each application of takeoff beside an external engine, which has one of its own', () => {
    assert.deepEqual(probes({}, { llama: {}, gemma: { engine: 'external' } }), [undefined, LIVENESS, undefined]);
    assert.deepEqual(probes({ engine: 'external' }, { llama: { engine: 'takeoff' } }), [undefined, LIVENESS]);
  });

  it('is not merged with one that an application or the template has', () => {
    const own = { tcpSocket: { port: 3000 } };
    assert.deepEqual(probes({}, { llama: {}, gemma: { livenessProbe: own } }), [undefined, LIVENESS, own]);
    assert.deepEqual(probes({ livenessProbe: own }, { llama: {} }), [own, undefined]);
  });
});

describe('an engine of chart 1.8.2', () => {
  it('is external unless it is takeoff, which is told where it is called otherwise', () => {
    const values = {
      applicationTemplate: { engine: 'sglang' },
      applications: { llama: { engine: 'takeoff' }, phi: {} },
    };
    assert.equal(at(specOf(values), 'applicationTemplate.engine'), 'external');
    assert.equal(at(specOf(values), 'applications.llama.engine'), 'takeoff');
    assert.equal(at(specOf(values), 'applications.phi.engine'), undefined);
    assert.deepEqual(notices(values), [
      'applicationTemplate.engine: is an external engine, as all are to the chart but takeoff (got "sglang")',
    ]);
  });

  it('is takeoff where an application empties the template’s', () => {
    const applications = { llama: { engine: '' }, gemma: { engine: null } };
    const { spec, notices: told } = convertChart182({ applicationTemplate: { engine: 'external' }, applications });
    assert.deepEqual(
      [at(spec, 'applications.llama.engine'), at(spec, 'applications.gemma.engine')],
      ['takeoff', 'takeoff'],
    );
    assert.deepEqual(told, []);
  });
});

describe('a variable that chart 1.8.2 sets itself', () => {
  it('is left out of an external engine’s, and told', () => {
    const port = { name: 'ENGINE_PORT', value: '4000' };
    const embedding = { name: 'IS_EMBEDDING', value: 'true' };
    const own = { name: 'LEVEL', value: 'debug' };
    const llama = { engine: 'external', env: [port, embedding, own], readerConfig: { isEmbedding: true } };
    const gemma = { engine: 'external', env: [embedding] };
    const values = { applicationTemplate: { env: [port] }, applications: { llama, gemma } };
    assert.deepEqual(at(specOf(values), 'applications.llama.env'), [own]);
    assert.deepEqual(at(specOf(values), 'applications.gemma.env'), [embedding]);
    assert.deepEqual(at(specOf(values), 'applicationTemplate.env'), []);
    assert.deepEqual(notices(values), [
      'applicationTemplate.env[0]: is left out: the chart sets it itself (got "ENGINE_PORT")',
      'applications.llama.env[0]: is left out: the chart sets it itself (got "ENGINE_PORT")',
      'applications.llama.env[1]: is left out: the chart sets it itself (got "IS_EMBEDDING")',
    ]);
    const takeoff = { applicationTemplate: { env: [port] }, applications: { llama: { env: [port] } } };
    assert.deepEqual(at(specOf(takeoff), 'applications.llama.env'), [port]);
    assert.deepEqual(notices(takeoff), []);
  });

  it('is left out of the gateway’s, like one without a value', () => {
    const level = { name: 'RUST_LOG', valueFrom: { configMapKeyRef: { name: 'log', key: 'level' } } };
    const env = [{ name: 'TAKEOFF_ADD_READER_ID_SUFFIX', value: 'false' }, { name: 'EMPTY', value: '' }, level];
    assert.deepEqual(at(specOf({ gateway: { env } }), 'gateway.env'), [level]);
    assert.deepEqual(notices({ gateway: { env } }), [
      'gateway.env[0]: is left out: the chart sets it itself (got "TAKEOFF_ADD_READER_ID_SUFFIX")',
      'gateway.env[1]: is left out, as the chart does without a value',
    ]);
  });

  it('has its last value where it is there twice', () => {
    const env = ['one', 'two'].map((value) => ({ name: 'LEVEL', value }));
    const spec = specOf({ applications: { llama: { env, sidecar: { env } } } });
    assert.deepEqual(at(spec, 'applications.llama.env'), [env[1]]);
    assert.deepEqual(at(spec, 'applications.llama.sidecar.env'), [env[1]]);
  });
});

describe('settings of chart 1.8.2', () => {
  it('are what a reader of its unquoted text finds, but for those that are texts by themselves', () => {
    const config = { maxUserBatchSize: '1000', reservedConsumers: '7', own: 'true', ratio: '0.5', address: 'a: b: c' };
    assert.deepEqual(at(specOf({ gateway: { config } }), 'gateway.config'), {
      maxUserBatchSize: 1000,
      reservedConsumers: '7',
      own: true,
      ratio: 0.5,
      address: 'a: b: c',
    });
    const readerConfig = { modelName: '123', tensorParallel: '2', isEmbedding: 'false', enginePort: '8000' };
    const { spec } = convertChart182({ applications: { llama: { readerConfig } } });
    const expected = { modelName: '123', tensorParallel: 2, isEmbedding: 'false', enginePort: 8000 };
    assert.deepEqual(at(spec, 'applications.llama.readerConfig'), expected);
  });
});

describe('a null in values of chart 1.8.2', () => {
  it('takes away what a spec can do without', () => {
    const spec = specOf({
      serviceAccount: { create: null },
      gateway: { ports: null },
      applicationTemplate: { shmSize: null },
      applications: { llama: { modelsVolume: null, env: null } },
    });
    assert.deepEqual(spec, {
      serviceAccount: { create: false },
      gateway: { image: { repository: 'tytn/gateway', tag: '0.3.5' }, ports: [] },
      applicationTemplate: { image: { tag: '0.22.0-rc23-gpu' }, livenessProbe: LIVENESS },
      applications: { llama: {} },
    });
  });

  it('is told where the template’s or the operator’s value stays', () => {
    const values = {
      gateway: { image: { tag: null }, config: { bodySizeLimitBytes: null } },
      applicationTemplate: { readerConfig: { device: null }, nodeSelector: { gpu: 'yes' }, replicaCount: 2 },
      applications: { llama: { nodeSelector: null, shmSize: '' }, gemma: { replicaCount: null, tolerations: null } },
    };
    const told = (path: string): string =>
      `${path}: is null, which takes a value away in Helm and says nothing in a stack. What the template or the operator has stays.`;
    assert.deepEqual(
      notices(values),
      [
        'gateway.image.tag',
        'applicationTemplate.readerConfig.device',
        'applications.llama.nodeSelector',
        'applications.llama.shmSize',
        'applications.gemma.replicaCount',
      ].map(told),
    );
    assert.equal(at(specOf(values), 'applications.llama.shmSize'), undefined);
  });
});

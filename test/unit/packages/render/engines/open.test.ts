import assert from 'node:assert/strict';
import type { Application, Image } from '../../../../../packages/api/types.ts';
import { OPEN_ENGINES } from '../../../../../packages/api/engine.ts';
import { ENGINE_TABLES } from '../../../../../packages/render/engines/tables.ts';
import { at, objectsOf, podOf } from '../../../../support/people/stacks.ts';

const MODEL = { name: 'org/model' };
const OPENAI_IMAGE = { repository: 'registry.example/own', tag: '1' };

/** An application of an engine with what it cannot do without. */
function of(engine: (typeof OPEN_ENGINES)[number], more: Application = {}): Application {
  return { engine, ...(engine === 'openai' ? { image: OPENAI_IMAGE } : { model: MODEL }), ...more };
}

const containerOf = (application: Application): unknown =>
  at(podOf({ applications: { chat: application } }, 'chat'), 'containers.0');
const objects = (application: Application, spec = {}): ReturnType<typeof objectsOf> =>
  objectsOf({ ...spec, applications: { chat: application } });

describe('an open engine', () => {
  for (const engine of OPEN_ENGINES) {
    it(`serves by its own Service and port: ${engine}`, () => {
      const made = objects(of(engine));
      assert.deepEqual(at(made['Service/chat'], 'spec.ports'), [
        { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' },
      ]);
      assert.deepEqual(
        at(made['Service/chat'], 'spec.selector'),
        at(made['Deployment/chat'], 'spec.selector.matchLabels'),
      );
      const { port } = ENGINE_TABLES[engine].revisions[0];
      const http = { name: 'http', containerPort: port, protocol: 'TCP' };
      assert.deepEqual(at(containerOf(of(engine)), 'ports'), [http]);
      assert.deepEqual(at(containerOf(of(engine, { port: 9000 })), 'ports'), [{ ...http, containerPort: 9000 }]);
    });

    it(`has an hour for loading its model before anybody calls it dead: ${engine}`, () => {
      const { periodSeconds, failureThreshold } = at(containerOf(of(engine)), 'startupProbe') as Record<string, number>;
      assert.ok((periodSeconds ?? 0) * (failureThreshold ?? 0) >= 3600);
      const deadline = at(objects(of(engine))['Deployment/chat'], 'spec.progressDeadlineSeconds');
      assert.ok(Number(deadline) > 3600);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        assert.equal(at(containerOf(of(engine)), `${probe}.httpGet.port`), 'http');
      }
    });
  }

  it('keeps the user’s ports beside its own, unless they are the same', () => {
    const ports = [
      { name: 'grpc', containerPort: 50051 },
      { name: 'http', containerPort: 1234 },
      { name: 'again', containerPort: 8000 },
    ];
    assert.deepEqual(at(containerOf(of('vllm', { ports })), 'ports'), [
      { name: 'http', containerPort: 8000, protocol: 'TCP' },
      { name: 'grpc', containerPort: 50051 },
    ]);
  });

  it('has the user’s probes in place of its own, and none where the user empties them', () => {
    const readinessProbe = { httpGet: { path: '/ready', port: 1 } };
    const container = containerOf(of('vllm', { readinessProbe, livenessProbe: {} }));
    assert.deepEqual(at(container, 'readinessProbe'), readinessProbe);
    assert.equal(at(container, 'livenessProbe'), undefined);
    assert.equal(at(container, 'startupProbe.httpGet.path'), '/health');
  });

  it('may load for as long as the user’s startup probe waits', () => {
    const deadline = (startupProbe: Record<string, unknown>): unknown =>
      at(objects(of('vllm', { startupProbe }))['Deployment/chat'], 'spec.progressDeadlineSeconds');
    assert.equal(deadline({ periodSeconds: 10, failureThreshold: 2000, initialDelaySeconds: 5 }), 20_005 + 1800);
    assert.equal(deadline({}), 3600 + 1800);
    assert.equal(deadline({ failureThreshold: 'many' }), 3600 + 1800);
    assert.equal(deadline({ periodSeconds: 2 ** 31, failureThreshold: 9 }), 2 ** 31 - 1);
  });

  it('runs the user’s command in place of its own, with the user’s arguments alone', () => {
    const own = containerOf(of('vllm', { command: ['serve', 'it'], args: ['--now'] }));
    assert.deepEqual([at(own, 'command'), at(own, 'args')], [['serve', 'it'], ['--now']]);
    assert.equal(at(containerOf(of('vllm', { command: ['serve'] })), 'args'), undefined);
  });

  it('runs its own command where the application takes back the template’s', () => {
    const pod = podOf(
      { applicationTemplate: of('vllm', { command: ['x'] }), applications: { chat: { command: [] } } },
      'chat',
    );
    assert.deepEqual(at(pod, 'containers.0.command'), ['vllm', 'serve']);
    assert.equal(at(pod, 'containers.0.args.0'), 'org/model');
  });

  const images: Record<string, readonly [Image | undefined, string]> = {
    'its own': [undefined, 'vllm/vllm-openai:v0.32.0'],
    'its own by an empty tag': [{ tag: '' }, 'vllm/vllm-openai:v0.32.0'],
    'another tag': [{ tag: 'v1' }, 'vllm/vllm-openai:v1'],
    'a copy in another registry': [{ repository: 'mirror.example/vllm' }, 'mirror.example/vllm:v0.32.0'],
    'a digest': [{ digest: `sha256:${'0'.repeat(64)}` }, `vllm/vllm-openai@sha256:${'0'.repeat(64)}`],
  };
  for (const [what, [image, reference]] of Object.entries(images)) {
    it(`runs an image: ${what}`, () => {
      const container = containerOf(of('vllm', image === undefined ? {} : { image }));
      assert.equal(at(container, 'image'), reference);
      assert.equal(at(container, 'imagePullPolicy'), 'IfNotPresent');
    });
  }

  it('runs another image on a GPU where it has one', () => {
    const [facts] = ENGINE_TABLES.llamacpp.revisions;
    const image = (more: Application): unknown => at(containerOf(of('llamacpp', more)), 'image');
    assert.equal(image({}), `${facts.image?.repository ?? ''}:${facts.image?.tag ?? ''}`);
    assert.equal(image({ gpu: {} }), `${facts.gpuImage?.repository ?? ''}:${facts.gpuImage?.tag ?? ''}`);
    assert.notEqual(image({}), image({ gpu: {} }));
  });

  it('runs an image without a tag as it is written', () => {
    assert.equal(at(containerOf(of('openai', { image: { repository: 'own' } })), 'image'), 'own');
  });

  it('has the user’s variables before its own', () => {
    const env = at(containerOf(of('vllm', { env: [{ name: 'HOME', value: '/own' }] })), 'env') as { name: string }[];
    assert.deepEqual(
      env.filter(({ name }) => name === 'HOME'),
      [{ name: 'HOME', value: '/own' }],
    );
    assert.ok(env.some(({ name }) => name === 'VLLM_CACHE_ROOT'));
  });

  it('gets no variables of Services and no token of the API server', () => {
    const pod = podOf({ applications: { chat: of('vllm') } }, 'chat');
    assert.deepEqual([pod['enableServiceLinks'], pod['automountServiceAccountToken']], [false, false]);
  });

  it('shows its metrics to Prometheus where the stack does', () => {
    const gateway = { exportPrometheusMetrics: true };
    const made = objects(of('vllm'), { gateway });
    assert.deepEqual(at(made['ServiceMonitor/chat'], 'spec'), {
      endpoints: [{ interval: '15s', port: 'http', path: '/metrics' }],
      selector: { matchLabels: at(made['Service/chat'], 'spec.selector') },
    });
    assert.deepEqual(at(made['ServiceMonitor/gateway'], 'spec.endpoints'), [
      { interval: '15s', port: 'metrics', path: '/metrics' },
    ]);
    assert.equal(objects(of('vllm'))['ServiceMonitor/chat'], undefined);
    const capabilities = { keda: true, serviceMonitor: false, assignsUserIds: false };
    const unknown = objectsOf({ gateway, applications: { chat: of('vllm') } }, { capabilities });
    assert.equal(unknown['ServiceMonitor/chat'], undefined);
  });

  it('scales by the user’s triggers, and by no other', () => {
    const triggers = [{ type: 'prometheus', metadata: { query: 'up' } }];
    const made = objects(of('vllm', { scaling: { enabled: true, spec: { triggers } } }));
    assert.deepEqual(at(made['ScaledObject/chat'], 'spec.triggers'), triggers);
    assert.equal(at(made['Deployment/chat'], 'spec.replicas'), undefined);
    assert.deepEqual(at(made['ScaledObject/chat'], 'spec.scaleTargetRef.name'), 'chat-inference-stack-chat');
    const suspended = objects(of('vllm', { suspend: true, scaling: { enabled: true, spec: { triggers } } }));
    assert.equal(at(suspended['Deployment/chat'], 'spec.replicas'), 0);
  });

  it('keeps downloaded models in a claim that the operator makes', () => {
    const made = objects(of('vllm', { modelCache: { size: '10Gi' } }));
    assert.equal(at(made['PersistentVolumeClaim/chat'], 'spec.resources.requests.storage'), '10Gi');
    const pod = at(made['Deployment/chat'], 'spec.template.spec');
    assert.equal(at(pod, 'securityContext.fsGroup'), 1000);
    assert.deepEqual(at(pod, 'volumes.3'), {
      name: 'models',
      persistentVolumeClaim: { claimName: 'chat-inference-stack-chat' },
    });
  });

  describe('that is told to stop', () => {
    const times = (more: Application): [unknown, unknown] => {
      const pod = podOf({ applications: { chat: of('vllm', more) } }, 'chat');
      return [at(pod, 'containers.0.lifecycle.preStop.sleep.seconds'), pod['terminationGracePeriodSeconds']];
    };
    const shutdown = (more: Application): number => {
      const args = at(containerOf(of('vllm', more)), 'args') as string[];
      return Number(args[args.indexOf('--shutdown-timeout') + 1]);
    };

    it('goes on serving while clients still find it, and then ends what is under way in time', () => {
      assert.deepEqual(times({}), [10, 120]);
      assert.equal(shutdown({}), 105);
      assert.deepEqual(times({ drain: { seconds: 60 }, terminationGracePeriodSeconds: 600 }), [60, 600]);
      assert.equal(shutdown({ drain: { seconds: 60 }, terminationGracePeriodSeconds: 600 }), 535);
    });

    it('always has a time that an engine takes', () => {
      assert.deepEqual(times({ terminationGracePeriodSeconds: 0 }), [undefined, 0]);
      assert.equal(shutdown({ terminationGracePeriodSeconds: 0 }), 1);
      assert.deepEqual(times({ drain: { seconds: 120 } }), [120, 125]);
    });
  });
});

import assert from 'node:assert/strict';
import { CONFIG_HASH_ANNOTATION } from '../../../../packages/api/constants.ts';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { render, renderParts } from '../../../../packages/render/render.ts';
import { at, contextWith, objectsOf, podOf, stackWith } from '../../../support/people/stacks.ts';

const ONE_APPLICATION: InferenceStackSpec = { applications: { llama: {} } };

describe('rendering a stack', () => {
  it('makes a gateway and one workload for each application, what others need first', () => {
    assert.deepEqual(Object.keys(objectsOf({ applications: { llama: {}, gemma: {} } })), [
      'ServiceAccount/chat-inference-stack',
      'ConfigMap/gateway',
      'ConfigMap/gemma',
      'ConfigMap/llama',
      'Service/gateway',
      'Deployment/gateway',
      'Deployment/gemma',
      'Deployment/llama',
      'PodDisruptionBudget/gateway',
      'PodDisruptionBudget/gemma',
      'PodDisruptionBudget/llama',
    ]);
  });

  it('tells the effective spec that it worked out, and takes it from whoever has it', () => {
    const stack = stackWith(ONE_APPLICATION);
    const first = render(stack, contextWith());
    assert.equal(at(first.spec, 'applications.llama.readerConfig.device'), 'cpu');
    const parts = renderParts(stack, contextWith(), { ...first.spec, applications: {} });
    let part = parts.next();
    while (part.done !== true) part = parts.next();
    assert.deepEqual(part.value.applications, {});
  });

  it('takes null for not set, wherever it stands', () => {
    const nulls = {
      gateway: { env: null, config: null, livenessProbe: null },
      applications: { llama: { modelsVolume: null, scaling: null } },
    };
    assert.deepEqual(objectsOf(nulls as unknown as InferenceStackSpec), objectsOf(ONE_APPLICATION));
  });

  it('keeps the runtime that the stack started with, until the stack asks for another', () => {
    const defaults = { runtimeVersion: '0.9.0' };
    const image = (spec: InferenceStackSpec) => at(podOf(spec, 'llama', { defaults }), 'containers.0.image');
    assert.equal(image(ONE_APPLICATION), 'tytn/takeoff-pro:0.9.0-gpu');
    assert.equal(image({ ...ONE_APPLICATION, runtimeVersion: '1.0.0' }), 'tytn/takeoff-pro:1.0.0-gpu');
    assert.equal(image({ ...ONE_APPLICATION, runtimeVersion: 'operator' }), 'tytn/takeoff-pro:0.22.0-rc20-gpu');
  });

  it('keeps versions off the pod template, so that an upgrade restarts nothing', () => {
    const template = (runtimeVersion: string) =>
      at(
        objectsOf({ applications: { llama: { image: { tag: 'x' } } } }, { defaults: { runtimeVersion } })[
          'Deployment/llama'
        ],
        'spec.template',
      );
    assert.deepEqual(template('1.0.0'), template('2.0.0'));
  });

  it('lets no label of the user break the selector', () => {
    const labels = at(
      objectsOf({ gateway: { podLabels: { 'app.kubernetes.io/component': 'mine', team: 'a' } } })['Deployment/gateway'],
      'spec.template.metadata.labels',
    );
    assert.deepEqual(labels, {
      team: 'a',
      'app.kubernetes.io/component': 'gateway',
      'app.kubernetes.io/name': 'inference-stack',
      'app.kubernetes.io/instance': 'chat',
      'app.kubernetes.io/managed-by': 'inference-stack-operator',
    });
  });

  it('names the stack’s own gateway in the ServiceMonitor', () => {
    const monitor = objectsOf({ gateway: { exportPrometheusMetrics: true } })['ServiceMonitor/gateway'];
    assert.equal(at(monitor, 'spec.selector.matchLabels', 'app.kubernetes.io/instance'), 'chat');
  });

  it('does without optional APIs that are not there, and says so', () => {
    const spec: InferenceStackSpec = {
      gateway: { exportPrometheusMetrics: true },
      applications: { llama: { readerConfig: { modelName: 'm' }, scaling: { enabled: true }, replicaCount: 2 } },
    };
    const { objects, notices } = render(
      stackWith(spec),
      contextWith({ capabilities: { keda: false, serviceMonitor: false } }),
    );
    assert.deepEqual(
      objects.map(({ kind }) => kind).filter((kind) => kind === 'ScaledObject' || kind === 'ServiceMonitor'),
      [],
    );
    assert.deepEqual(notices.map(formatProblem), [
      'spec.gateway.exportPrometheusMetrics: makes no ServiceMonitor, because the cluster has no monitoring.coreos.com/v1. Install the Prometheus operator.',
      'spec.applications.llama.scaling.enabled: does not scale, because the cluster has no keda.sh/v1alpha1: it stays at 2 pods. Install KEDA.',
    ]);
  });
});

describe('the configuration hash', () => {
  const hash = (spec: InferenceStackSpec, component = 'llama') =>
    at(objectsOf(spec)[`Deployment/${component}`], 'spec.template.metadata.annotations', CONFIG_HASH_ANNOTATION);

  it('changes with the reader’s configuration, in the application and in the template', () => {
    const before = hash(ONE_APPLICATION);
    assert.notEqual(hash({ applications: { llama: { readerConfig: { maxBatchSize: 4 } } } }), before);
    assert.notEqual(
      hash({ applicationTemplate: { readerConfig: { maxBatchSize: 4 } }, applications: { llama: {} } }),
      before,
    );
  });

  it('changes with the gateway’s configuration, for the gateway alone', () => {
    const changed = { ...ONE_APPLICATION, gateway: { config: { maxUserBatchSize: 5 } } };
    assert.notEqual(hash(changed, 'gateway'), hash(ONE_APPLICATION, 'gateway'));
    assert.equal(hash(changed), hash(ONE_APPLICATION));
  });

  it('does not change with anything else', () => {
    const changed: InferenceStackSpec = {
      gateway: { replicaCount: 3, podAnnotations: { a: 'b' } },
      applications: {
        llama: { replicaCount: 4, readerConfig: { device: 'cpu', modelName: 'TitanML/dummy_model' } },
        other: {},
      },
    };
    assert.equal(hash(changed), hash(ONE_APPLICATION));
    assert.equal(hash(changed, 'gateway'), hash(ONE_APPLICATION, 'gateway'));
  });
});

import assert from 'node:assert/strict';
import { gpuRequest } from '../../../../packages/render/gpu.ts';
import type { Application, Disruption } from '../../../../packages/api/types.ts';
import { at, objectsOf, podOf } from '../../../support/people/stacks.ts';

const pod = (llama: Application) => podOf({ applications: { llama } }, 'llama');
const objects = (llama: Application) => objectsOf({ applications: { llama } });

describe('an application’s gpu', () => {
  it('is found in its resources, however the amount is written', () => {
    const found = (amount: unknown): unknown => gpuRequest(undefined, { limits: { 'nvidia.com/gpu': amount } });
    for (const amount of [2, '2', '2000m'])
      assert.deepEqual(found(amount), { resourceName: 'nvidia.com/gpu', count: 2 });
    assert.equal(found('0'), undefined);
    assert.equal(found('two'), undefined);
  });

  it('writes resources, node affinity and the toleration', () => {
    const spec = pod({ gpu: { count: 2, product: 'NVIDIA-A100', minMemory: '40Gi' } });
    assert.deepEqual(at(spec, 'containers.0.resources'), {
      limits: { 'nvidia.com/gpu': 2 },
      requests: { 'nvidia.com/gpu': 2 },
    });
    assert.deepEqual(spec['tolerations'], [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }]);
    const required = at(spec, 'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution');
    assert.deepEqual(required, {
      nodeSelectorTerms: [
        {
          matchExpressions: [
            { key: 'nvidia.com/gpu.product', operator: 'In', values: ['NVIDIA-A100'] },
            { key: 'nvidia.com/gpu.memory', operator: 'Gt', values: ['40959'] },
          ],
        },
      ],
    });
  });

  it('narrows each of the user’s alternatives, and keeps the rest of the affinity', () => {
    const term = (zone: string) => ({ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] });
    const nodeSelectorTerms = [term('a'), term('b')];
    const affinity = {
      podAntiAffinity: {},
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    };
    const result = pod({ affinity, gpu: { product: 'T4' } });
    const product = { key: 'nvidia.com/gpu.product', operator: 'In', values: ['T4'] };
    assert.deepEqual(at(result, 'affinity'), {
      podAntiAffinity: {},
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: nodeSelectorTerms.map(({ matchExpressions }) => ({
            matchExpressions: [...matchExpressions, product],
          })),
        },
      },
    });
  });

  it('keeps the user’s resources and does not tolerate twice', () => {
    const toleration = { key: 'nvidia.com/gpu', operator: 'Equal', value: 'true', effect: 'NoExecute' };
    const spec = pod({ gpu: {}, resources: { limits: { memory: '1Gi' } }, tolerations: [toleration] });
    assert.deepEqual(at(spec, 'containers.0.resources.limits'), { memory: '1Gi', 'nvidia.com/gpu': 1 });
    assert.deepEqual(spec['tolerations'], [toleration]);
  });

  it('makes the model run on it, unless a device is named', () => {
    const config = (llama: Application) => at(objects(llama)['ConfigMap/llama'], 'data', 'config.yaml') as string;
    assert.match(config({ gpu: {} }), /device: cuda\n/);
    assert.match(config({ gpu: {}, readerConfig: { device: 'cpu' } }), /device: cpu\n/);
  });

  it('tolerates the taint of another vendor’s nodes', () => {
    const tolerations = pod({ gpu: { resourceName: 'amd.com/gpu' } })['tolerations'];
    assert.deepEqual(tolerations, [{ key: 'amd.com/gpu', operator: 'Exists', effect: 'NoSchedule' }]);
  });
});

describe('an application’s models', () => {
  it('live in memory by default, with no init container', () => {
    const spec = pod({});
    assert.deepEqual(at(spec, 'volumes.2'), { name: 'models', emptyDir: { medium: 'Memory' } });
    assert.equal(spec['initContainers'], undefined);
    assert.equal(spec['securityContext'], undefined);
  });

  it('live in a claim of the operator that outlives the stack', () => {
    const all = objects({ modelCache: { size: '200Gi', storageClassName: 'fast', accessMode: 'ReadWriteMany' } });
    assert.deepEqual(at(all['PersistentVolumeClaim/llama'], 'spec'), {
      accessModes: ['ReadWriteMany'],
      storageClassName: 'fast',
      resources: { requests: { storage: '200Gi' } },
    });
    assert.deepEqual(at(all['PersistentVolumeClaim/llama'], 'metadata.annotations'), {
      'models.titanml.co/deletion-policy': 'Retain',
    });
    assert.deepEqual(at(all['Deployment/llama'], 'spec.template.spec.volumes.2'), {
      name: 'models',
      persistentVolumeClaim: { claimName: 'chat-inference-stack-llama' },
    });
  });

  it('are handed to the pod’s group where a volume can be', () => {
    const modelsVolume = { persistentVolumeClaim: { claimName: 'models' } };
    assert.deepEqual(pod({ modelsVolume })['securityContext'], {
      fsGroup: 1000,
      fsGroupChangePolicy: 'OnRootMismatch',
    });
    assert.deepEqual(pod({ modelsVolume, podSecurityContext: { fsGroup: 7 } })['securityContext'], { fsGroup: 7 });
    assert.equal(pod({ modelsVolume: { hostPath: { path: '/models' } } })['securityContext'], undefined);
  });

  it('of an application replace those of the template as a whole', () => {
    const applicationTemplate: Application = { modelsVolume: { name: 'shared', hostPath: { path: '/models' } } };
    const own = podOf({ applicationTemplate, applications: { llama: { modelCache: { size: '1Gi' } } } }, 'llama');
    assert.deepEqual(at(own, 'volumes.2'), {
      name: 'models',
      persistentVolumeClaim: { claimName: 'chat-inference-stack-llama' },
    });
    const inherited = podOf({ applicationTemplate, applications: { llama: {} } }, 'llama');
    assert.deepEqual(at(inherited, 'volumes.2'), applicationTemplate.modelsVolume);
  });
});

describe('an application’s pods', () => {
  it('are replaced as the spec says, or as was decided for auto', () => {
    const strategy = (llama: Application, rollouts = {}) =>
      at(objectsOf({ applications: { llama } }, { rollouts })['Deployment/llama'], 'spec.strategy');
    const surge = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    assert.deepEqual(strategy({}), surge);
    assert.deepEqual(strategy({}, { llama: 'recreate' }), { type: 'Recreate' });
    assert.deepEqual(strategy({ rollout: 'surge' }, { llama: 'recreate' }), surge);
    assert.deepEqual(strategy({ rollout: 'inPlace' }), {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    });
  });

  it('are replaced as any other where it is called like something that every object has', () => {
    const all = objectsOf({ applications: { constructor: {} } });
    assert.equal(at(all['Deployment/constructor'], 'spec.strategy.type'), 'RollingUpdate');
  });

  it('are none while it is suspended, scaled or not', () => {
    const all = objects({ suspend: true, scaling: { enabled: true }, replicaCount: 3 });
    assert.equal(at(all['Deployment/llama'], 'spec.replicas'), 0);
    assert.deepEqual(at(all['ScaledObject/llama'], 'metadata.annotations'), { 'autoscaling.keda.sh/paused': 'true' });
  });

  it('are counted by the scaler when there is one', () => {
    const all = objects({ scaling: { enabled: true, metricTarget: { value: 10000000 } }, replicaCount: 3 });
    assert.equal(at(all['Deployment/llama'], 'spec.replicas'), undefined);
    assert.equal(at(all['ScaledObject/llama'], 'spec.triggers.0.metadata.target_primary'), '10000000');
  });

  it('spread by their own labels unless told otherwise', () => {
    const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
    const spec = pod({ topologySpreadConstraints: [constraint] });
    assert.deepEqual(at(spec, 'topologySpreadConstraints.0.labelSelector.matchLabels'), {
      'app.kubernetes.io/component': 'application-llama',
      'app.kubernetes.io/name': 'inference-stack',
      'app.kubernetes.io/instance': 'chat',
    });
  });

  it('drain, stop and are protected as the spec says', () => {
    const spec = pod({ drain: { seconds: 30 }, terminationGracePeriodSeconds: 600, priorityClassName: 'high' });
    assert.deepEqual(at(spec, 'containers.0.lifecycle'), { preStop: { sleep: { seconds: 30 } } });
    assert.equal(spec['terminationGracePeriodSeconds'], 600);
    assert.equal(spec['priorityClassName'], 'high');
    const budget = (disruption: Disruption) => objects({ disruption })['PodDisruptionBudget/llama'];
    assert.equal(at(objects({})['PodDisruptionBudget/llama'], 'spec.maxUnavailable'), 1);
    assert.equal(at(budget({ minAvailable: '50%' }), 'spec.minAvailable'), '50%');
    assert.equal(at(budget({ minAvailable: '50%' }), 'spec.maxUnavailable'), undefined);
    assert.equal(budget({ enabled: false }), undefined);
  });
});

import assert from 'node:assert/strict';
import { keepPod } from '../../../../controller/src/reconcile/pod-view.ts';
import { at, objectsOf } from '../../../support/people/stacks.ts';

const GPU = 'nvidia.com/gpu';

interface Container {
  readonly resources: object;
  readonly restartPolicy?: string;
}

function gpus(count: number, restartPolicy?: string): Container {
  return { resources: { limits: { [GPU]: String(count) } }, ...(restartPolicy === undefined ? {} : { restartPolicy }) };
}

function held(containers: readonly Container[], initContainers: readonly Container[] = []): number | undefined {
  const metadata = { name: 'a', namespace: 'team-a', resourceVersion: '1' };
  return keepPod({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers, initContainers } })?.devices[GPU];
}

describe('the devices that a pod holds', () => {
  it('are those of all its containers', () => assert.equal(held([gpus(1), gpus(2)]), 3));

  it('are those of an init container where that needs more', () => {
    assert.equal(held([gpus(1)], [gpus(4), gpus(2)]), 4);
    assert.equal(held([gpus(3)], [gpus(2)]), 3);
  });

  it('are those of sidecars beside whatever starts after them', () => {
    assert.equal(held([gpus(2)], [gpus(1, 'Always')]), 3);
    assert.equal(held([gpus(1)], [gpus(2, 'Always'), gpus(3)]), 5);
    assert.equal(held([gpus(1)], [gpus(3), gpus(2, 'Always')]), 3);
  });
});

describe('a pod that was told to end', () => {
  it('says by when it should have', () => {
    const metadata = { name: 'a', namespace: 'team-a', resourceVersion: '1' };
    const kept = (deletionTimestamp?: string): unknown[] => {
      const told = deletionTimestamp === undefined ? {} : { deletionTimestamp };
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, ...told },
        spec: { containers: [gpus(1)] },
      };
      const { leaving, endsBy } = keepPod(pod) ?? {};
      return [leaving, endsBy];
    };
    assert.deepEqual(kept(), [false, undefined]);
    assert.deepEqual(kept('1970-01-01T00:01:00Z'), [true, 60_000]);
  });
});

describe('what a pod asks for', () => {
  it('is also what a container beside its own asks for, such as the one that keeps the gateway’s routes', () => {
    const gateway = objectsOf({ applications: { llm: { engine: 'vllm', model: { name: 'm' } } } })[
      'Deployment/gateway'
    ];
    const template = at(gateway, 'spec.template') as { metadata: object; spec: object };
    const metadata = { name: 'a', namespace: 'team-a', resourceVersion: '1', ...template.metadata };
    const { requests } = keepPod({ apiVersion: 'v1', kind: 'Pod', ...template, metadata }) ?? {};
    assert.equal(requests?.['cpu'], 0.1 + 0.005);
    assert.equal(requests['memory'], (64 + 8) * 2 ** 20);
  });
});

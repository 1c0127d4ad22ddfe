import assert from 'node:assert/strict';
import { keepPod } from '../../../../controller/src/reconcile/pod-view.ts';

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

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DevicesInUse } from '../../../../../controller/src/reconcile/gpu/devices-in-use.ts';
import type { PodView } from '../../../../../controller/src/reconcile/pod-view.ts';
import { Store } from '../../../../../packages/kube/watch/store.ts';
import { GPU } from '../../../../support/kubernetes/cluster-objects.ts';
import { podOn } from '../../../../support/kubernetes/nodes.ts';

const NODES = ['a', 'b', 'c'];

describe('devices in use', () => {
  it('are those of the pods that are there, however pods came, moved and went', () => {
    const event = fc.record({
      name: fc.constantFrom('x', 'y', 'z'),
      node: fc.constantFrom(...NODES, undefined),
      gpus: fc.nat(8),
      gone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const store = new Store<PodView>();
        const devices = new DevicesInUse();
        for (const [index, { name, node, gpus, gone }] of events.entries()) {
          const resourceVersion = index + 1;
          const change = gone
            ? store.delete(name, resourceVersion)
            : store.set(name, podOn(node, gpus, { resourceVersion }));
          if (change !== undefined) devices.update(change);
        }
        for (const name of NODES) {
          const there = [...store.values()].filter(({ node }) => node === name);
          const sum = there.reduce((total, pod) => total + (pod.devices[GPU] ?? 0), 0);
          assert.equal(devices.on(name, GPU), sum);
        }
      }),
    );
  });

  it('are told when less is reserved, and not when as much is, or when it was for a moment only', () => {
    const freed: unknown[] = [];
    const devices = new DevicesInUse((resources, owner) => freed.push([owner, ...resources]));
    const slot = (node: string, amount: number): { node: string; resource: string; amount: number } => {
      return { node, resource: GPU, amount };
    };
    devices.reserve('one', [slot('a', 2)]);
    devices.reserve('one', [slot('a', 1), slot('a', 1)]);
    devices.reserve('one', [slot('a', 2), slot('b', 1)]);
    devices.reserveMore('two', slot('c', 8));
    devices.forget('two');
    assert.deepEqual(freed, []);
    devices.reserve('one', [slot('a', 1), slot('b', 3)]);
    devices.reserve('one', [slot('a', 1), slot('c', 3)]);
    devices.reserve('one', []);
    assert.deepEqual(freed, [
      ['one', GPU],
      ['one', GPU],
      ['one', GPU],
    ]);
    assert.deepEqual([devices.on('a', GPU), devices.on('c', GPU)], [0, 0]);
  });

  it('are told to those that counted meanwhile, when they were reserved only while an owner was worked on', () => {
    const freed: unknown[] = [];
    const devices = new DevicesInUse((resources, _owner, whom) => freed.push([whom, ...resources]));
    const slots = [{ node: 'a', resource: GPU, amount: 1 }];
    const none = devices.reservedFor('one');
    devices.reserve('one', slots);
    devices.reserve('one', [], none);
    assert.deepEqual(freed.splice(0), [['meanwhile', GPU]]);
    devices.reserve('one', slots);
    const held = devices.reservedFor('one');
    devices.reserve('one', [...slots, { node: 'b', resource: GPU, amount: 1 }]);
    devices.reserve('one', [], held);
    assert.deepEqual(freed, [['all', GPU]]);
  });
});

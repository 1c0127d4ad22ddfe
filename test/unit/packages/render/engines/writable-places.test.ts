import assert from 'node:assert/strict';
import type { Application } from '../../../../../packages/api/types.ts';
import { objectsAt } from '../../../../../packages/lib/json.ts';
import { at, podOf } from '../../../../support/people/stacks.ts';

function pod(values: Application): { names: readonly unknown[]; paths: readonly unknown[] } {
  const spec = podOf({ applications: { llm: { engine: 'openai', image: { repository: 'r' }, ...values } } }, 'llm');
  return {
    names: objectsAt(spec, 'volumes').map(({ name }) => name),
    paths: objectsAt(at(spec, 'containers.0'), 'volumeMounts').map(({ mountPath }) => mountPath),
  };
}

describe('where an open engine may write', () => {
  it('is a cache, a temporary folder and shared memory', () => {
    assert.deepEqual(pod({}), { names: ['cache', 'tmp', 'dshm'], paths: ['/cache', '/tmp', '/dev/shm'] });
  });

  it('is what the user mounts there, since Kubernetes refuses two mounts at one path', () => {
    const volumes = [{ name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '2Gi' } }];
    const volumeMounts = [{ name: 'shm', mountPath: '/dev/shm' }];
    assert.deepEqual(pod({ volumes, volumeMounts }), {
      names: ['cache', 'tmp', 'shm'],
      paths: ['/cache', '/tmp', '/dev/shm'],
    });
    const all = ['/cache', '/tmp', '/dev/shm'].map((mountPath, index) => ({ name: `own-${String(index)}`, mountPath }));
    assert.deepEqual(pod({ volumeMounts: all }), { names: [], paths: ['/cache', '/tmp', '/dev/shm'] });
  });
});

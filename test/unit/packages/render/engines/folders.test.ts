import assert from 'node:assert/strict';
import type { Application } from '../../../../../packages/api/types.ts';
import type { OpenObject } from '../../../../../packages/lib/json.ts';
import { at, podOf } from '../../../../support/people/stacks.ts';

function foldersOf(application: Application): { volumes: OpenObject[]; mounts: Record<string, unknown> } {
  const chat: Application = { engine: 'vllm', model: { name: 'org/model' }, ...application };
  const pod = podOf({ applications: { chat } }, 'chat');
  const mounts = at(pod, 'containers.0.volumeMounts') as OpenObject[];
  // No path is mounted twice, which Kubernetes refuses.
  assert.equal(new Set(mounts.map(({ mountPath }) => mountPath)).size, mounts.length);
  const volumes = pod['volumes'] as OpenObject[];
  const names = volumes.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, names.join());
  for (const { name } of mounts) assert.ok(names.includes(name), String(name));
  return {
    volumes,
    mounts: Object.fromEntries(mounts.map(({ mountPath, name }) => [mountPath, name] as [string, unknown])),
  };
}

describe('the folders of an engine', () => {
  it('are what it writes to, since its root is read-only', () => {
    const { mounts, volumes } = foldersOf({});
    assert.deepEqual(mounts, { '/cache': 'cache', '/tmp': 'tmp', '/dev/shm': 'dshm' });
    assert.deepEqual(volumes, [
      { name: 'cache', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
      { name: 'dshm', emptyDir: { medium: 'Memory', sizeLimit: '2Gi' } },
    ]);
  });

  it('have the shared memory that the user asks for', () => {
    const { volumes } = foldersOf({ shmSize: '32Gi' });
    assert.deepEqual(volumes[2], { name: 'dshm', emptyDir: { medium: 'Memory', sizeLimit: '32Gi' } });
  });

  it('give way to what the user mounts there', () => {
    const volumes = [{ name: 'fast', persistentVolumeClaim: { claimName: 'fast' } }];
    const { mounts } = foldersOf({ volumes, volumeMounts: [{ name: 'fast', mountPath: '/cache/' }] });
    assert.deepEqual(mounts, { '/tmp': 'tmp', '/dev/shm': 'dshm', '/cache/': 'fast' });
  });

  it('can be mounted elsewhere as well', () => {
    const { mounts } = foldersOf({ volumeMounts: [{ name: 'cache', mountPath: '/root/.cache', subPath: 'root' }] });
    assert.equal(mounts['/root/.cache'], 'cache');
    assert.equal(mounts['/cache'], 'cache');
  });

  it('leave the user’s volumes their names', () => {
    const volumes = [
      { name: 'tmp', emptyDir: { medium: 'Memory' } },
      { name: 'engine-tmp', emptyDir: {} },
    ];
    const { mounts } = foldersOf({ volumes, volumeMounts: [{ name: 'tmp', mountPath: '/var/tmp' }] });
    assert.equal(mounts['/var/tmp'], 'tmp');
    assert.equal(mounts['/tmp'], 'engine-engine-tmp');
    const models = foldersOf({ modelsVolume: { name: 'cache', hostPath: { path: '/models' } } });
    assert.equal(models.mounts['/mnt/models'], 'cache');
    assert.equal(models.mounts['/cache'], 'engine-cache');
  });

  it('make no volume that nobody can reach', () => {
    const mine = { volumes: [{ name: 'tmp', emptyDir: {} }], volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] };
    const names = foldersOf(mine).volumes.map(({ name }) => name);
    assert.deepEqual(names, ['cache', 'dshm', 'tmp']);
  });
});

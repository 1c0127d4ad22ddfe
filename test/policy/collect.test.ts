import assert from 'node:assert/strict';
import { ApiError } from '../../controller/src/runtime/api-error.ts';
import type { KubernetesObject } from '../../controller/src/runtime/object.ts';
import { collect } from '../../policies/audit/collect.ts';
import type { ReadClient } from '../../policies/facts/cluster.ts';
import { binding } from './objects.ts';
import { withChanges } from './support.ts';

/** What an audit looks at in a cluster that has nothing but one binding, of this role to this subject. */
async function audited(subject: object): Promise<string[]> {
  const object = withChanges(binding(), [['subjects'], [subject]], [['metadata', 'name'], 'somebody-made-it']);
  const client: ReadClient = {
    listAll: ({ plural }) =>
      plural === 'clusterrolebindings'
        ? Promise.resolve([object as KubernetesObject])
        : Promise.reject(new ApiError(`GET ${plural}`, 404, {})),
    raw: () => Promise.reject(new Error('there is no catalog')),
  };
  return (await collect(client)).subjects.map(({ title }) => title);
}

describe('an audit looks at whoever gives rights to operators', () => {
  const namespace = 'inference-stack-operator-system';
  const ways: Record<string, object> = {
    'as accounts': { kind: 'ServiceAccount', name: 'inference-stack-operator-v1', namespace },
    'as users': { kind: 'User', name: `system:serviceaccount:${namespace}:inference-stack-operator-v1` },
    'as all accounts of their namespace': { kind: 'Group', name: `system:serviceaccounts:${namespace}` },
    'as all accounts there are': { kind: 'Group', name: 'system:serviceaccounts' },
  };
  for (const [way, subject] of Object.entries(ways)) {
    it(way, async () => assert.deepEqual(await audited(subject), ['ClusterRoleBinding somebody-made-it']));
  }

  it('and not at those of other people', async () => {
    assert.deepEqual(await audited({ kind: 'Group', name: `system:serviceaccounts:${namespace}-2` }), []);
    assert.deepEqual(await audited({ kind: 'ServiceAccount', name: 'a', namespace: 'b' }), []);
  });
});

import assert from 'node:assert/strict';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { audit, type AuditReport } from '../../../../policies/audit/audit.ts';
import { collect, type AuditInput } from '../../../../policies/audit/collect.ts';
import type { ReadClient } from '../../../../policies/facts/cluster.ts';
import { guardsAreEnforced } from '../../../../policies/rules/guards-are-enforced.ts';
import { workloadsAreHardened } from '../../../../policies/rules/workloads-are-hardened.ts';
import { binding, deployment, extension, guards, hardenedStack, namespace } from '../../../support/policies/objects.ts';
import { withChanges } from '../../../support/policies/support.ts';

/** What an audit looks at in a cluster that knows these objects, and no other kinds. */
async function collected(objects: Readonly<Record<string, readonly object[]>>): Promise<AuditInput> {
  const client: ReadClient = {
    listAll: ({ plural }) => {
      const list = objects[plural];
      if (list === undefined) return Promise.reject(new ApiError(`GET ${plural}`, 404, {}));
      return Promise.resolve(list as KubernetesObject[]);
    },
    raw: () => Promise.reject(new Error('there is no catalog')),
  };
  return collect(client);
}

/** What it looks at where there is nothing but one binding, of some role to this subject. */
async function audited(subject: object): Promise<string[]> {
  const object = withChanges(binding(), [['subjects'], [subject]], [['metadata', 'name'], 'somebody-made-it']);
  return (await collected({ clusterrolebindings: [object] })).subjects.map(({ title }) => title);
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

describe('an audit of a stack', () => {
  const gateway = withChanges(
    deployment(),
    [['metadata'], { name: 'chat-inference-stack-gateway', namespace: 'team-a' }],
    [['metadata', 'labels'], { 'app.kubernetes.io/managed-by': 'inference-stack-operator' }],
    [['metadata', 'labels', 'app.kubernetes.io/component'], 'gateway'],
    [
      ['metadata', 'ownerReferences'],
      [{ apiVersion: 'models.titanml.co/v1beta1', kind: 'InferenceStack', name: 'chat' }],
    ],
    [['spec', 'template', 'spec', 'containers', 0, 'securityContext', 'privileged'], true],
  );
  const found = async (...deployments: readonly object[]): Promise<AuditReport> =>
    audit([workloadsAreHardened], await collected({ inferencestacks: [hardenedStack()], deployments }), 'prod');

  it('judges the Deployments that are there, in the words of the stack', async () => {
    const { findings, objects } = await found(gateway);
    assert.deepEqual(
      findings.map(({ object, message }) => [object, message]),
      [
        [
          'InferenceStack team-a/chat',
          'InferenceStack team-a/chat: container manager should not be privileged: see spec.gateway.securityContext.privileged.',
        ],
      ],
    );
    assert.equal(objects, 2);
  });

  it('judges what would come of a stack that has no Deployments yet', async () => {
    const { findings, objects } = await found();
    assert.deepEqual([findings, objects], [[], 1]);
  });

  it('judges the Deployments of a stack that is not there by themselves', async () => {
    const orphan = withChanges(gateway, [['metadata', 'ownerReferences', 0, 'name'], 'gone']);
    const { findings, objects } = await found(orphan);
    assert.deepEqual(
      findings.map(({ object }) => object),
      ['Deployment team-a/chat-inference-stack-gateway'],
    );
    assert.equal(objects, 2);
  });
});

describe('an audit of the guards', () => {
  const [policy, deny, stacks, stacksDeny] = guards();
  const found = async (
    bindings: readonly object[],
    namespaces: readonly object[] = [namespace()],
  ): Promise<string[]> => {
    const input = await collected({
      clusterextensions: [extension()],
      validatingadmissionpolicies: [policy, stacks],
      validatingadmissionpolicybindings: bindings,
      namespaces,
    });
    return audit([guardsAreEnforced], input, 'prod').findings.map(({ object }) => object);
  };

  it('finds nothing where they stand', async () => assert.deepEqual(await found([deny, stacksDeny]), []));

  it('finds a binding that somebody made to warn only, whatever it is called', async () => {
    const warn = withChanges(deny, [['spec', 'validationActions'], ['Warn']], [['metadata', 'name'], 'renamed']);
    assert.deepEqual(await found([warn, stacksDeny]), ['ValidatingAdmissionPolicyBinding renamed']);
  });

  it('finds a binding that is gone', async () => {
    assert.deepEqual(await found([stacksDeny]), ['ClusterExtension inference-stack-operator-v2']);
  });

  it('finds a namespace of operators that was opened', async () => {
    const open = withChanges(namespace(), [['metadata', 'labels'], {}]);
    assert.deepEqual(await found([deny, stacksDeny], [open]), ['Namespace inference-stack-operator-system']);
  });

  it('looks at no policy and no namespace of other people', async () => {
    const foreign = (object: object): object =>
      withChanges(object, [['metadata', 'name'], 'a'], [['spec', 'policyName'], 'a']);
    const input = await collected({
      validatingadmissionpolicies: [foreign(policy)],
      validatingadmissionpolicybindings: [foreign(deny)],
      namespaces: [foreign(namespace())],
    });
    assert.deepEqual(input.subjects, []);
  });
});

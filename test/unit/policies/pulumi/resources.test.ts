import assert from 'node:assert/strict';
import { UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { noWildcardRbac } from '../../../../policies/rules/no-wildcard-rbac.ts';
import { oneOperatorPerMajor } from '../../../../policies/rules/one-operator-per-major.ts';
import { workloadsAreHardened } from '../../../../policies/rules/workloads-are-hardened.ts';
import { clusterRole, deployment, extension } from '../../../support/policies/objects.ts';
import { refused, resource, unjudged } from '../../../support/policies/program.ts';
import { withChanges } from '../../../support/policies/support.ts';

const SHARING = withChanges(deployment(), [['spec', 'template', 'spec', 'hostPID'], true]);
const FINDING =
  'Deployment inference-stack-operator-system/controller should not share a namespace of its node (hostPID: true).';

/** The object without what its type says already. */
function bare(object: object): object {
  return withChanges(object, [['kind'], undefined], [['apiVersion'], undefined]);
}

describe('an object that does not say its kind', () => {
  it('is of the kind of its resource', async () => {
    const type = 'kubernetes:apps/v1:Deployment';
    assert.deepEqual(await refused(workloadsAreHardened, [resource(bare(SHARING), { type })]), [FINDING]);
  });

  it('is of the core group where the type says so', async () => {
    const { metadata, spec } = SHARING as { metadata: object; spec: { template: { spec: object } } };
    const pod = { metadata, spec: spec.template.spec };
    const found = await refused(workloadsAreHardened, [resource(pod, { type: 'kubernetes:core/v1:Pod' })]);
    assert.deepEqual(found, [FINDING.replace('Deployment', 'Pod')]);
  });

  it('is a patch where the type says so', async () => {
    const type = 'kubernetes:apps/v1:DeploymentPatch';
    const patch = withChanges(bare(SHARING), [['spec', 'template', 'spec', 'containers'], undefined]);
    assert.deepEqual(await refused(workloadsAreHardened, [resource(patch, { type })]), [FINDING]);
  });

  it('is judged by what is known of it where the kind is known only after the update', async () => {
    const type = 'kubernetes:apps/v1:Deployment';
    const found = await refused(workloadsAreHardened, [resource(SHARING, { type, unknownKey: 'kind' })]);
    assert.deepEqual(found, [FINDING]);
  });
});

describe('a list of objects', () => {
  const listOf = (apiVersion: string, kind: string, items: unknown): ReturnType<typeof resource> =>
    resource({ apiVersion, kind, metadata: { name: 'all' }, items });

  it('is judged object by object', async () => {
    const items = [deployment(), SHARING];
    assert.deepEqual(await refused(workloadsAreHardened, [listOf('apps/v1', 'DeploymentList', items)]), [FINDING]);
    assert.deepEqual(await refused(workloadsAreHardened, [listOf('v1', 'List', items)]), [FINDING]);
  });

  it('says the kind of objects that do not', async () => {
    const role = bare(withChanges(clusterRole(), [['rules', 0, 'verbs'], ['*']]));
    const list = listOf('rbac.authorization.k8s.io/v1', 'ClusterRoleList', [role]);
    assert.deepEqual(await refused(noWildcardRbac, [list]), [
      'ClusterRole installer should name what rules[0].verbs grants instead of "*".',
    ]);
  });

  it('counts for rules about the whole fleet', async () => {
    const second = withChanges(extension(2, 'fast-v2'), [['metadata', 'name'], 'second']);
    const list = listOf('olm.operatorframework.io/v1', 'ClusterExtensionList', [extension(), second]);
    assert.equal((await refused(oneOperatorPerMajor, [list])).length, 1);
  });

  it('says what is known only after the update, of one object or of all', async () => {
    const one = listOf('apps/v1', 'DeploymentList', [UNKNOWN, SHARING]);
    assert.deepEqual(await refused(workloadsAreHardened, [one]), [FINDING]);
    assert.deepEqual(await unjudged(workloadsAreHardened, [one]), [
      'Deployment all: items[0] is known only after the update.',
    ]);
    assert.deepEqual(await unjudged(workloadsAreHardened, [listOf('apps/v1', 'DeploymentList', UNKNOWN)]), [
      'Deployment all: items is known only after the update.',
    ]);
  });
});

describe('a PodTemplate', () => {
  it('is judged like every other kind that holds one', async () => {
    const { metadata, spec } = SHARING as { metadata: object; spec: { template: object } };
    const object = { apiVersion: 'v1', kind: 'PodTemplate', metadata, template: spec.template };
    assert.deepEqual(await refused(workloadsAreHardened, [resource(object)]), [
      FINDING.replace('Deployment', 'PodTemplate'),
    ]);
  });
});

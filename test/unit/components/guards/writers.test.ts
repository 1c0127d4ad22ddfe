import assert from 'node:assert/strict';
import { celList, celTexts, policySpec } from '../../../../components/guards/policy.ts';
import { enforcedWriters, WRITERS_GUARD, writersGuard } from '../../../../components/guards/writers-guard.ts';
import { admits, describeWriters, isWriter, writersOf } from '../../../../components/guards/writers.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';

const LIST = ['Group platform', 'User anna', 'ServiceAccount ci/deployer'];

describe('a writer of a list', () => {
  it('is a user, a group or a ServiceAccount', () => {
    for (const right of [...LIST, 'User https://issuer#anna smith', 'Group oidc:a b'])
      assert.ok(isWriter(right), right);
  });

  it('is nothing else', () => {
    const wrong = ['', 'anna', 'user anna', 'User ', 'User anna ', 'ServiceAccount deployer', 'ServiceAccount A/b'];
    for (const each of wrong) assert.ok(!isWriter(each), each);
  });
});

describe('the writers of a list', () => {
  it('are known by the names that the API server knows them by, each once', () => {
    assert.deepEqual(writersOf([...LIST, 'User anna', 'User system:serviceaccount:ci:deployer']), {
      users: ['anna', 'system:serviceaccount:ci:deployer'],
      groups: ['platform'],
      appliers: [],
    });
  });

  it('include whoever applies the list, unless it admits them already', () => {
    const applied = (username: string, groups: string[] = []): readonly string[] =>
      writersOf(LIST, { username, groups }).appliers;
    assert.deepEqual(applied('bob'), ['bob']);
    // Clouds make up a name for each session: one that changes nothing about the list must not change the guard.
    assert.deepEqual([applied('session-17', ['platform']), applied('anna')], [[], []]);
    assert.deepEqual(applied('system:serviceaccount:ci:deployer'), []);
  });

  it('admit users, members of groups and appliers, and nobody else', () => {
    const writers = writersOf(LIST, { username: 'bob', groups: ['b'] });
    const admitted = (username: string, ...groups: string[]): boolean => admits(writers, { username, groups });
    assert.deepEqual(
      [
        admitted('anna'),
        admitted('bob'),
        admitted('x', 'a', 'platform'),
        admitted('platform'),
        admitted('x', 'anna', 'b'),
      ],
      [true, true, true, false, false],
    );
  });

  it('are described as a list names them', () => {
    const applier = { username: 'bob', groups: [] };
    assert.equal(
      describeWriters(writersOf(LIST, applier)),
      'Group platform, User anna, ServiceAccount ci/deployer, User bob',
    );
    assert.equal(describeWriters(writersOf([])), 'nobody');
    assert.match(describeWriters(writersOf(Array.from({ length: 99 }, (_, n) => `User u${n}`))), / and \d\d more$/);
  });
});

describe('the writers that a cluster is held to', () => {
  const policy = (spec: object): KubernetesObject => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: WRITERS_GUARD },
    spec,
  });
  const binding = (...validationActions: string[]): KubernetesObject =>
    policy({ policyName: WRITERS_GUARD, validationActions });
  const writers = writersOf([...LIST, String.raw`User it's \ me`], { username: 'bob', groups: [] });
  const applied = policy(policySpec(writersGuard(writers)));

  it('are those of the guard, with whatever is in their names', () => {
    assert.deepEqual(enforcedWriters([applied], [binding('Deny', 'Audit')]), writers);
  });

  it('are nobody in particular where the guard only warns, or half of it is gone', () => {
    assert.equal(enforcedWriters([applied], [binding('Warn')]), undefined);
    assert.equal(enforcedWriters([applied], []), undefined);
    assert.equal(enforcedWriters([], [binding('Deny')]), undefined);
  });

  it('are none where somebody has put something else in place of the lists', () => {
    const none = { users: [], groups: [], appliers: [] };
    assert.deepEqual(enforcedWriters([policy({})], [binding('Deny')]), none);
  });
});

describe('a list in CEL', () => {
  it('is read as it was written', () => {
    for (const texts of [[], ['a'], ['a', "b'] + ['c", String.raw`\\'`, ', ']]) {
      assert.deepEqual(celTexts(celList(texts)), texts);
    }
  });

  it('is nothing else than literals', () => {
    for (const other of ['', 'true', "['a'] + ['b']", "['a', x]", "['a''b']", "['a', ]"]) {
      assert.equal(celTexts(other), undefined, other);
    }
  });
});

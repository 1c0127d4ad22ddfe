import assert from 'node:assert/strict';
import { readDefinitions } from '../../../../components/api/definitions.ts';
import { describeApiImpact } from '../../../../infra/impact/api-impact.ts';
import { changesApi, guardImpact, removalImpact } from '../../../../infra/impact/platform-impact.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { clusterWith } from '../../../support/operator/impact-cluster.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const STACKS = [
  { namespace: 'team-a', name: 'chat', operatorVersion: 'v1' },
  { namespace: 'team-a', name: 'new', operatorVersion: '2.1' },
  { namespace: 'team-b', name: 'lost' },
  { namespace: 'kube-public', name: 'odd', operatorVersion: 'v1' },
];

describe('the impact of what is around operators', () => {
  it('names the stacks of an operator that goes', () => {
    assert.deepEqual(removalImpact(STACKS, [2, 3]), [
      'Impact of removing v2: 1 InferenceStack would be served by nobody (team-a/new). Their pods stay.',
    ]);
  });

  it('names the stacks that the guards would refuse', () => {
    const line = (count: number, verb: string, stacks: string): string =>
      `Impact of the guards: ${String(count)} InferenceStacks would be ${verb} if made anew as they are: a label that no operator serves, or a system namespace (${stacks}).`;
    assert.deepEqual(guardImpact(STACKS, { majors: [1, 2], guards: 'deny' }), [
      line(2, 'refused', 'team-b/lost, kube-public/odd'),
    ]);
    assert.deepEqual(guardImpact(STACKS, { majors: [1], guards: 'warn' }), [
      line(3, 'warned of', 'team-a/new, team-b/lost, kube-public/odd'),
    ]);
    assert.deepEqual(guardImpact(STACKS, { majors: [], guards: 'off' }), []);
    assert.deepEqual(guardImpact(STACKS.slice(0, 2), { majors: [1, 2], guards: 'deny' }), []);
  });

  it('looks at stored stacks only where the API becomes another one', async () => {
    const [definition] = await readDefinitions();
    assert.ok(definition !== undefined);
    assert.equal(changesApi([], [definition]), false);
    assert.equal(changesApi([structuredClone(definition)], [definition]), false);
    const before = structuredClone(definition);
    Object.assign(before.spec.versions[0] as object, { served: false });
    assert.equal(changesApi([before], [definition]), true);
  });

  it('names stored stacks that the API would not take, without what they say', async () => {
    const wrong = stackWith({ gateway: { replicaCount: 'hunter2' } } as never, 'wrong');
    const objects = [stackWith({}), wrong] as unknown as KubernetesObject[];
    const [line = '', ...more] = await describeApiImpact(clusterWith(objects));
    assert.match(
      line,
      /^Impact of the API: of 2 InferenceStacks, 1 would no longer be valid as stored \(InferenceStack team-a\/wrong: spec\.gateway\.replicaCount: must be .*\)\.$/,
    );
    assert.ok(!line.includes('hunter2'), line);
    assert.deepEqual(more, []);
    assert.deepEqual(await describeApiImpact(clusterWith([], ['InferenceStack'])), [
      'Impact of the API: of 0 InferenceStacks, 0 would no longer be valid as stored.',
      'Impact of the API: you may not list InferenceStack in all namespaces, so nothing is known of them.',
    ]);
    const broken = { ...clusterWith([]), list: () => Promise.reject(new Error('the API server is gone')) };
    assert.deepEqual(await describeApiImpact(broken), ['Impact of the API: not known. the API server is gone']);
  });
});

import assert from 'node:assert/strict';
import { plannedUpgrade } from '../../../../infra/impact/planned-upgrade.ts';
import type { PlannedUpgrade } from '../../../../policies/knowledge/facts.ts';
import { planFacts } from '../../../../policies/pulumi/planned.ts';
import { upgradesSpareStacks } from '../../../../policies/rules/upgrades-spare-stacks.ts';
import { NO_FACTS, violations } from '../../../support/policies/support.ts';

const EXTENSION = {
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterExtension',
  metadata: { name: 'inference-stack-operator-v3' },
};
const UPGRADE: PlannedUpgrade = { major: 3, from: '3.0.0', to: '3.1.0', pods: 20, refused: [], accepted: false };
const TITLE = 'ClusterExtension inference-stack-operator-v3 should not go from 3.0.0 to 3.1.0';

function judge(changes: Partial<PlannedUpgrade> = {}, settings = {}): string[] {
  const facts = { ...NO_FACTS, upgrades: [{ ...UPGRADE, ...changes }] };
  return violations(upgradesSpareStacks, [EXTENSION], facts, settings);
}

describe('the rule upgrades-spare-stacks', () => {
  it('lets through what replaces few pods and refuses nothing', () => {
    assert.deepEqual(judge(), []);
    assert.deepEqual(violations(upgradesSpareStacks, [EXTENSION]), []);
  });

  it('refuses what replaces more pods than are allowed', () => {
    assert.deepEqual(judge({ pods: 21 }), [`${TITLE}: it replaces 21 pods of InferenceStacks, and 20 are allowed.`]);
    assert.deepEqual(judge({ pods: 1 }, { maxPods: 0 }), [
      `${TITLE}: it replaces 1 pod of InferenceStacks, and 0 are allowed.`,
    ]);
    assert.deepEqual(judge({ pods: 500 }, { maxPods: 500 }), []);
  });

  it('refuses what refuses stacks, whatever is allowed', () => {
    assert.deepEqual(judge({ refused: ['team-a/chat', 'team-b/search'] }, { maxPods: 1000 }), [
      `${TITLE}: it refuses team-a/chat, team-b/search.`,
    ]);
  });

  it('refuses what is not known', () => {
    assert.deepEqual(judge({ unknown: 'The registry is gone.' }), [
      `${TITLE} while its impact is not known: The registry is gone.`,
    ]);
  });

  it('lets through what the settings accept, for that version alone', () => {
    assert.deepEqual(judge({ pods: 100, refused: ['team-a/chat'], accepted: true }), []);
    const impact = { major: 3, from: '3.0.0', to: '3.1.0', unknown: 'why' };
    const operator = (acceptImpact: string): Parameters<typeof plannedUpgrade>[1] =>
      [{ major: 3, channel: 'stable', acceptImpact }] as unknown as Parameters<typeof plannedUpgrade>[1];
    assert.deepEqual(plannedUpgrade(impact, operator('3.1.0')), {
      ...{ major: 3, from: '3.0.0', to: '3.1.0', pods: 0, refused: [], unknown: 'why' },
      accepted: true,
    });
    assert.equal((plannedUpgrade(impact, operator('3.0.9')) as PlannedUpgrade).accepted, false);
  });

  it('does not take what nobody may list for no pods', () => {
    const read = { major: 3, from: '3.0.0', to: '3.1.0', stacks: 2, unchanged: 2, affected: [], pods: 0 };
    const planned = (unread: readonly string[]): PlannedUpgrade =>
      plannedUpgrade(
        { major: 3, from: '3.0.0', to: '3.1.0', impact: { ...read, unread, keptOut: [] } },
        [],
      ) as PlannedUpgrade;
    assert.equal(planned(['Deployment', 'Ingress']).unknown, 'you may not list Deployment in all namespaces');
    assert.equal(planned(['InferenceStack']).unknown, 'you may not list InferenceStack in all namespaces');
    assert.equal(planned(['Ingress']).unknown, undefined);
  });

  it('learns of upgrades from the component that has them', () => {
    const component = { type: 'inference-stack-fleet:fleet:OperatorFleet', props: { upgrades: [UPGRADE] } };
    assert.deepEqual(planFacts([component], undefined).upgrades, [UPGRADE]);
    assert.deepEqual(planFacts([{ ...component, props: {} }], undefined).upgrades, []);
  });
});

import assert from 'node:assert/strict';
import { MODEL_ORCHESTRA } from '../../../../packages/api/constants.ts';
import type { InferenceStack, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { isNotFound } from '../../../../packages/kube/client/api-error.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import {
  conditionOf,
  installCrd,
  newStack,
  ownedType,
  stackCrd,
  STACKS,
  stackType,
} from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';
import { Team } from '../../../support/people/team.ts';

const ORCHESTRAS = stackType(MODEL_ORCHESTRA);
const CLAIMS = ownedType('PersistentVolumeClaim');
const WATCHES = '[{version: v1beta1, kind: InferenceStack}, {version: v1beta1, kind: ModelOrchestra}]';

describe('stacks of two kinds beside each other', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let team: Team;

  before(async () => {
    plane = await startPlane();
    await installCrd(plane.client, await stackCrd(MODEL_ORCHESTRA));
    team = new Team(plane.client, await TestOperator.start(plane.connection, { watches: WATCHES }));
  });
  after(async () => {
    await team.operator.stop();
    await plane.stop();
  });

  async function createOrchestra(name: string, spec: InferenceStackSpec): Promise<void> {
    await plane.client.create(ORCHESTRAS, { ...newStack('team-a', name, spec), kind: MODEL_ORCHESTRA.kind });
  }

  async function orchestra(name: string): Promise<InferenceStack> {
    return (await plane.client.get(ORCHESTRAS, { namespace: 'team-a', name })) as unknown as InferenceStack;
  }

  it('have a retained claim made again when somebody deletes it, whichever kind it is for', async () => {
    const spec = { applications: { a: { modelCache: { size: '1Gi' } } } };
    await team.create('new', spec);
    await createOrchestra('old', spec);
    for (const stack of ['new', 'old']) {
      const ref = { namespace: 'team-a', name: `${stack}-inference-stack-a` };
      const { metadata } = await eventually(() => plane.client.get(CLAIMS, ref));
      await team.operator.quiet();
      await plane.client.mergePatch(CLAIMS, ref, { metadata: { finalizers: null } });
      await plane.client.delete(CLAIMS, ref);
      await eventually(async () => {
        assert.notEqual((await plane.client.get(CLAIMS, ref)).metadata.uid, metadata.uid);
      }, 10_000);
    }
  });

  it('never select each other’s pods: of two with one name the second waits until the first has gone', async () => {
    await team.create('twin', {});
    await createOrchestra('twin', { fullnameOverride: 'other' });
    await eventually(async () => {
      const { reason, message } = conditionOf(await orchestra('twin'), 'Ready');
      assert.equal(reason, 'NameTaken');
      assert.match(message, /is also the name of InferenceStack team-a\/twin/);
    });
    assert.equal((await orchestra('twin')).status?.claim, undefined);
    await assert.rejects(team.owned('Service', 'other-gateway'), isNotFound);
    await plane.client.delete(STACKS, { namespace: 'team-a', name: 'twin' });
    await eventually(() => team.owned('Service', 'other-gateway'));
  });
});

import assert from 'node:assert/strict';
import { MODEL_ORCHESTRA } from '../../../../controller/src/api/constants.ts';
import type { InferenceStackSpec } from '../../../../controller/src/api/types.ts';
import type { ControlPlane } from '../../../support/control-plane.ts';
import { eventually } from '../../../support/eventually.ts';
import { TestOperator } from '../../../support/operator.ts';
import { installCrd, newStack, ownedType, stackCrd, stackType } from '../../../support/stack-api.ts';
import { startPlane } from '../../../support/stack-plane.ts';
import { Team } from '../../../support/team.ts';

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
});

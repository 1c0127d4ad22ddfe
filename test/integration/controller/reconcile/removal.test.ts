import assert from 'node:assert/strict';
import { DELETION_POLICY_ANNOTATION } from '../../../../controller/src/api/constants.ts';
import { isNotFound } from '../../../../controller/src/runtime/api-error.ts';
import { createIngressClass } from '../../../support/cluster-objects.ts';
import type { ControlPlane } from '../../../support/control-plane.ts';
import { eventually } from '../../../support/eventually.ts';
import { TestOperator } from '../../../support/operator.ts';
import { startPlane } from '../../../support/stack-plane.ts';
import { Team } from '../../../support/team.ts';

describe('what is no longer wanted', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let team: Team;

  before(async () => {
    plane = await startPlane();
    await createIngressClass(plane.client, 'nginx', true);
    team = new Team(plane.client, await TestOperator.start(plane.connection));
  });
  after(async () => {
    await team.operator.stop();
    await plane.stop();
  });

  it('goes whatever its author has annotated it with', async () => {
    const ingress = {
      enabled: true,
      hosts: [{ host: 'x.example' }],
      annotations: { [DELETION_POLICY_ANNOTATION]: 'Retain' },
    };
    await team.create('annotated', { gateway: { ingress } });
    const name = 'annotated-inference-stack-gateway';
    assert.equal((await team.owned('Ingress', name)).metadata.ownerReferences?.length, 1);
    await team.change('annotated', { gateway: { ingress: { enabled: false } } });
    await gone('Ingress', name);
  });

  async function gone(kind: string, name: string): Promise<void> {
    await eventually(() => assert.rejects(team.owned(kind, name), isNotFound));
  }
});

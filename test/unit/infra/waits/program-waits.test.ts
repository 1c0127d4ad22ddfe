import * as pulumi from '@pulumi/pulumi';
import assert from 'node:assert/strict';
import type { PlannedOperator } from '../../../../components/fleet/plan.ts';
import { programWaits, type Progress } from '../../../../infra/waits/program-waits.ts';

const CONTROLLERS = ['Deployment catalogd-controller-manager', 'Deployment operator-controller-controller-manager'];
const known = pulumi.output(true);
const operators = [1, 2].map((major) => {
  const plan = { to: `${major}.0.0`, deployments: [`manager-v${major}`] };
  return { operator: { major, channel: 'stable' }, plan } as unknown as PlannedOperator;
});
const deployed = { catalogImage: pulumi.output('image'), served: known, installed: known };

function targetsOf(progress: Partial<Progress>): readonly (readonly string[])[] {
  const waits = programWaits({
    olm: { begun: known, ready: known },
    catalogName: 'catalog',
    operators: [],
    deployed: undefined,
    running: known,
    ...progress,
  });
  return waits.map(({ targets }) => targets.map(({ name }) => name));
}

describe('the waits of the program', () => {
  it('are for OLM, then for the catalog, then for the extensions and the operators that they install', () => {
    assert.deepEqual(targetsOf({ operators, deployed }), [
      CONTROLLERS,
      ['ClusterCatalog catalog'],
      ['ClusterExtension inference-stack-operator-v1', 'ClusterExtension inference-stack-operator-v2'],
      ['Deployment manager-v1', 'Deployment manager-v2'],
    ]);
  });

  it('begin for OLM’s controllers when what they need is applied: before, those are there that are replaced', () => {
    const olm = { begun: pulumi.output('begun'), ready: pulumi.output('ready') };
    const [first] = programWaits({ olm, catalogName: 'catalog', operators: [], deployed: undefined, running: known });
    assert.equal(first?.from, olm.begun);
    assert.equal(first.until, olm.ready);
  });

  it('are for an OLM that is there already as long as something is asked of it', () => {
    const [first, ...others] = targetsOf({ olm: undefined, operators, deployed });
    assert.deepEqual(first, CONTROLLERS);
    assert.deepEqual(others.at(0), ['ClusterCatalog catalog']);
    assert.deepEqual(targetsOf({ olm: undefined }), []);
  });

  it('are for OLM alone where there are no operators', () => {
    assert.deepEqual(targetsOf({}), [CONTROLLERS]);
  });
});

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { CATALOGS, DEFINITIONS } from '../../../components/olm/resource-types.ts';
import { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { minimalCrd } from '../../support/kubernetes/minimal-crd.ts';
import { PulumiProject } from '../../support/pulumi/pulumi-project.ts';

const PROGRAM = fileURLToPath(new URL('manifest', import.meta.url));

interface Deployment {
  readonly deployment: { readonly resources: readonly { readonly type: string; readonly urn: string }[] };
}

/** The provider registers what a manifest holds by a function of our own: docs/reference/changed-programs.md. */
describe('the Kubernetes provider as it is built here', function () {
  this.timeout(300_000);
  let plane: ControlPlane;
  let project: PulumiProject;

  before(async () => {
    plane = await ControlPlane.start();
    await plane.client.create(DEFINITIONS, minimalCrd(CATALOGS));
    await eventually(() => plane.client.listAll(CATALOGS));
    project = new PulumiProject({ FLEET_TEST_KUBECONFIG: await plane.kubeconfig() }, PROGRAM);
    await project.environment('manifest', 'Pulumi.prod.yaml');
  });
  after(async () => {
    await plane.stop();
    project.remove();
  });

  it('gives the objects of a manifest the types that Pulumi has for their kinds, and finds nothing to change afterwards', async () => {
    const up = await project.pulumi(['up', '--yes', '--skip-preview', '--stack', 'manifest']);
    assert.equal(up.code, 0, up.output);
    const { output } = await project.pulumi(['stack', 'export', '--stack', 'manifest']);
    const { deployment } = JSON.parse(output) as Deployment;
    const types = deployment.resources.filter(({ urn }) => urn.includes('ConfigGroup$')).map(({ type }) => type);
    assert.deepEqual(types.sort(), [
      'kubernetes:core/v1:ConfigMap',
      'kubernetes:olm.operatorframework.io/v1:ClusterCatalog',
      'kubernetes:rbac.authorization.k8s.io/v1:Role',
    ]);
    const again = await project.pulumi(['preview', '--expect-no-changes', '--stack', 'manifest']);
    assert.equal(again.code, 0, again.output);
  });
});

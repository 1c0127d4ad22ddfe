import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';
import { CLUSTER_ROLES, DEFINITIONS, EXTENSIONS } from '../../../components/olm/resource-types.ts';
import { run } from '../../../packages/lib/command.ts';
import type { ResourceType } from '../../../packages/kube/object.ts';
import { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { startControllers } from '../../support/kubernetes/kube-programs.ts';
import { minimalCrd } from '../../support/kubernetes/minimal-crd.ts';
import type { Program } from '../../support/machine/program.ts';
import { PulumiProject } from '../../support/pulumi/pulumi-project.ts';

const DEFINED = [
  'clusterextensions.olm.operatorframework.io',
  'inferencestacks.models.titanml.co',
  'modelorchestras.models.titanml.co',
];
const ROLES = [
  'inferencestacks.models.titanml.co-edit',
  'inferencestacks.models.titanml.co-view',
  'modelorchestras.models.titanml.co-edit',
  'modelorchestras.models.titanml.co-view',
];
const POLICIES: ResourceType = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};

/** Production as committed, with the real Pulumi and a real API server, but for OLM, which is only asked for. */
describe('an environment whose CRDs are protected', function () {
  this.timeout(180_000);
  let plane: ControlPlane;
  let project: PulumiProject;
  let kubeconfig: string;
  let collector: Program;

  before(async () => {
    plane = await ControlPlane.start();
    await plane.client.create(DEFINITIONS, minimalCrd(EXTENSIONS));
    await eventually(() => plane.client.listAll(EXTENSIONS));
    kubeconfig = await plane.kubeconfig();
    // Pulumi deletes in the foreground: somebody has to see that nothing depends on the object.
    collector = await startControllers(plane, ['garbage-collector-controller']);
    project = new PulumiProject();
  });

  after(async () => {
    project.remove();
    await collector.stop();
    await plane.stop();
  });

  const configure = (modelOrchestra: boolean): Promise<void> =>
    project.environment('prod', 'Pulumi.prod.yaml', {
      kubeconfig,
      kubeContext: 'test',
      olm: { mode: 'existing' },
      api: { protect: true, modelOrchestra },
    });

  async function pulumi(...args: readonly string[]): Promise<string> {
    const { code, output } = await project.pulumi([...args, '--yes', '--stack', 'prod']);
    assert.equal(code, 0, output);
    return output;
  }

  async function pulumiStacks(): Promise<string> {
    const { code, output } = await project.pulumi(['stack', 'ls']);
    assert.equal(code, 0, output);
    return output;
  }

  async function fleet(command: 'down' | 'state forget', ...forPulumi: readonly string[]): Promise<string> {
    const config = ['--config-file', join(project.directory, 'Pulumi.prod.yaml')];
    const args = ['cli/fleet.mjs', ...command.split(' '), '--environment', 'prod', ...config, '--', ...forPulumi];
    return run('node', args, { cwd: checkout, env: project.env });
  }

  async function names(type: ResourceType): Promise<readonly string[]> {
    return (await plane.client.listAll(type)).map(({ metadata }) => metadata.name).sort();
  }

  /** The roles for people, apart from those that Kubernetes brings. */
  async function roles(): Promise<readonly string[]> {
    return (await names(CLUSTER_ROLES)).filter((name) => name.includes('.models.titanml.co-'));
  }

  it('is created with its guards, and with roles for people', async () => {
    await configure(true);
    await pulumi('up');
    assert.deepEqual(await names(POLICIES), ['inference-stack-fleet-extensions', 'inference-stack-fleet-stacks']);
    assert.deepEqual(await names(DEFINITIONS), DEFINED);
    assert.deepEqual(await roles(), ROLES);
  });

  it('stops defining ModelOrchestra when its CRD is unprotected, and the cluster keeps the CRD and its roles', async () => {
    await configure(false);
    const refused = await project.pulumi(['up', '--yes', '--stack', 'prod']);
    const [, urn = ''] = /because it is protected[^]*`pulumi state unprotect '(.*)'`/.exec(refused.output) ?? [];
    assert.match(urn, /::api-modelorchestras\.models\.titanml\.co$/, refused.output);
    await pulumi('state', 'unprotect', urn);
    await pulumi('up');
    assert.deepEqual(await names(DEFINITIONS), DEFINED);
    assert.deepEqual(await roles(), ROLES);
  });

  it('goes down to its CRDs and roles, and says that they stay', async () => {
    assert.match(await fleet('down'), /All unprotected resources were destroyed[^]*\nKept: the CRDs of InferenceStack/);
    assert.deepEqual(await names(POLICIES), []);
    assert.deepEqual(await names(DEFINITIONS), DEFINED);
    assert.deepEqual(await roles(), ROLES);
  });

  it('can be taken down twice', async () => {
    assert.match(await fleet('down'), /no unprotected resources to destroy[^]*\nKept: the CRDs of InferenceStack/);
  });

  it('comes up again with the CRDs that it kept, and takes over the roles', async () => {
    assert.match(await pulumi('up'), /\+ 7 created\n\s+4 unchanged/);
  });

  it('is forgotten when its cluster is gone, and not before', async () => {
    await assert.rejects(fleet('state forget', '--yes'), /kubeContext: is still there/);
    await plane.stopApiServer('SIGKILL');
    await assert.rejects(
      fleet('down'),
      /kubeContext: cannot be reached: .*ECONNREFUSED.*\(got "test"\)\..* make forget ENV=prod$/m,
    );
    await assert.rejects(fleet('state forget'), /--yes/);
    assert.match(await fleet('state forget', '--yes'), /Stack 'prod' has been removed!/);
    assert.doesNotMatch(await pulumiStacks(), /prod/);
  });
});

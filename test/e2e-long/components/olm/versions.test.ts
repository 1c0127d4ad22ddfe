import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shareDirectory } from '../../../../toolchain/places.ts';
import { NODE } from '../../../../cluster/embedded/api-objects.ts';
import { catalogImageContent } from '../../../../components/images/catalog-content.ts';
import { OPERATOR_NAMESPACE } from '../../../../packages/api/operator-names.ts';
import { CONTROLLER } from '../../../../components/olm/existing.ts';
import { DEPLOYMENTS, EXTENSIONS } from '../../../../components/olm/resource-types.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { startControllers, startScheduler } from '../../../support/kubernetes/kube-programs.ts';
import { Program } from '../../../support/machine/program.ts';
import { PulumiProject, type Outcome } from '../../../support/pulumi/pulumi-project.ts';
import { pushImage } from '../../../support/registry/push-image.ts';
import { RegistryServer } from '../../../support/registry/registry.ts';
import { sampleCatalog } from '../../../support/olm/sample-catalog.ts';
import { counts } from '../../../support/embedded/counts.ts';
import { SimulatedOlm } from '../../../support/embedded/simulated-olm.ts';

const V1 = 'inference-stack-operator-v1';
const INSTALLER = `${V1}-installer`;
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
/** The last one takes the taint off a node that is ready. */
const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'garbage-collector-controller',
  'node-lifecycle-controller',
];

/**
 * The program with the manifests of three versions of OLM, one after the other: real Pulumi, real API server, real scheduler. Pods
 * are simulated, and so is what OLM says of its catalogs and extensions: 1.11.0 cannot be built here.
 */
describe('the manifests of OLM, one version after the other', function () {
  this.timeout(600_000);
  let plane: ControlPlane;
  let registry: RegistryServer;
  let olm: SimulatedOlm;
  let project: PulumiProject;
  let settings: Readonly<Record<string, unknown>>;
  let placement: object = {};
  const programs: Program[] = [];

  before(async () => {
    plane = await ControlPlane.start();
    registry = await RegistryServer.start({ tls: true });
    const kubeconfig = await plane.kubeconfig();
    programs.push(await startControllers(plane, CONTROLLERS), await startScheduler(plane));
    const kwok = [`--kubeconfig=${kubeconfig}`, '--manage-all-nodes=true', '--node-lease-duration-seconds=40'];
    programs.push(new Program('kwok', kwok, join(dirname(kubeconfig), 'kwok.log')));
    for (const name of ['worker', 'control']) await addNode(name);
    const ca = registry.ca ?? '';
    const name = `${registry.host}/fleet/operator-catalog`;
    const digest = await pushImage(`${name}:1`, catalogImageContent(sampleCatalog(['1.0.0'])), { ca });
    project = new PulumiProject();
    const registryCa = join(project.directory, 'ca.crt');
    writeFileSync(registryCa, ca);
    settings = {
      kubeconfig,
      kubeContext: 'test',
      registryCa,
      api: { protect: false },
      catalog: { source: 'image', image: `${name}@${digest}` },
      operators: [{ major: 1 }],
    };
    olm = new SimulatedOlm(plane.client, '1.0.0');
  });

  after(async () => {
    project.remove();
    await olm.end();
    for (const program of programs) await program.stop();
    await registry.stop();
    await plane.stop();
  });

  async function addNode(name: string): Promise<void> {
    const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
    await plane.client.create(NODE, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
    const resources = { cpu: '8', memory: '32Gi', pods: '110' };
    const status = { capacity: resources, allocatable: resources };
    await plane.client.mergePatch(NODE, { name }, { status }, { subresource: 'status' });
  }

  async function labelNode(value: string | null): Promise<void> {
    await plane.client.mergePatch(NODE, { name: 'control' }, { metadata: { labels: { [CONTROL_PLANE]: value } } });
  }

  async function attempt(version: string, ...args: readonly string[]): Promise<Outcome> {
    const olm = { version, manifest: join(shareDirectory, 'olm-v{version}.yaml'), ...placement };
    await project.environment('olm', 'examples/own-cluster/Pulumi.example.yaml', { ...settings, olm });
    return project.pulumi([...args, '--stack', 'olm']);
  }

  async function pulumi(version: string, ...args: readonly string[]): Promise<string> {
    const { code, output } = await attempt(version, ...args);
    assert.equal(code, 0, output);
    return output;
  }

  /** Previews, applies, and looks once more: what was shown is what was done, and all of it. */
  async function move(version: string): Promise<string> {
    const preview = await pulumi(version, 'preview');
    const output = await pulumi(version, 'up', '--yes', '--skip-preview');
    assert.notDeepEqual(counts(output), {}, output);
    assert.deepEqual(counts(output), counts(preview));
    assert.deepEqual(counts(await pulumi(version, 'preview')), {});
    return output;
  }

  async function extension(): Promise<{ uid: string | undefined; account: string | undefined }> {
    const { metadata, spec } = await plane.client.get(EXTENSIONS, { name: V1 });
    return { uid: metadata.uid, account: (spec as { serviceAccount?: { name: string } }).serviceAccount?.name };
  }

  it('begin with 1.5.1', async () => {
    await move('1.5.1');
    assert.equal((await extension()).account, INSTALLER);
  });

  it('go on to 1.10.0, on any node where none is labelled as control plane', async () => {
    const { uid } = await extension();
    assert.match(await move('1.10.0'), /no node of the cluster fits, so OLM runs on any node\./);
    assert.deepEqual(await extension(), { uid, account: INSTALLER });
  });

  it('move to the node of the control plane once there is one', async () => {
    await labelNode('');
    assert.doesNotMatch(await move('1.10.0'), /no node of the cluster fits/);
  });

  it('go on to 1.11.0, where installers go after the extensions have stopped naming them', async () => {
    const { uid } = await extension();
    const output = await move('1.11.0');
    assert.deepEqual(await extension(), { uid, account: undefined });
    const lines = output.split('\n');
    const at = (pattern: RegExp): number => lines.findIndex((line) => pattern.test(line));
    const controller = at(/Deployment operator-controller-controller-manager updated \(/);
    const named = at(new RegExp(`ClusterExtension ${V1} updated \\(`));
    const gone = at(new RegExp(`${INSTALLER} deleting`));
    assert.ok(controller >= 0 && controller < named && named < gone, output);
  });

  it('run where the settings say, and so do the operators, until the settings say nothing', async () => {
    await plane.client.create(DEPLOYMENTS, operatorDeployment());
    const nodeSelector = { 'kubernetes.io/hostname': 'worker' };
    placement = { nodeSelector, tolerations: [{ key: 'dedicated', operator: 'Exists' }] };
    await move('1.11.0');
    assert.deepEqual(await nodeSelectors(), [nodeSelector, nodeSelector]);
    placement = {};
    await move('1.11.0');
    assert.deepEqual(await nodeSelectors(), [{ 'kubernetes.io/os': 'linux', [CONTROL_PLANE]: '' }, undefined]);
  });

  /** Of OLM's controller and of the operator. */
  async function nodeSelectors(): Promise<readonly unknown[]> {
    const deployments = [CONTROLLER, { namespace: OPERATOR_NAMESPACE, name: V1 }];
    return Promise.all(
      deployments.map(async (ref) => {
        const { spec } = await plane.client.get(DEPLOYMENTS, ref);
        return (spec as { template: { spec: { nodeSelector?: unknown } } }).template.spec.nodeSelector;
      }),
    );
  }

  it('do not go back', async () => {
    const { code, output } = await attempt('1.10.0', 'preview');
    assert.notEqual(code, 0);
    assert.match(output, /olm\.version: would go back from OLM 1\.11\.0, which has run in this cluster/);
  });
});

/** The Deployment of a bundle, as OLM makes it. */
function operatorDeployment(): KubernetesObject {
  const labels = { app: V1 };
  const securityContext = {
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  };
  const containers = [{ name: 'controller', image: 'registry.example/controller', securityContext }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: V1, namespace: OPERATOR_NAMESPACE },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

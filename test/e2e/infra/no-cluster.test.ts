import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { localOlm } from '../../support/olm/local-olm.ts';
import { PulumiProject } from '../../support/pulumi/pulumi-project.ts';

/** A pull request from a fork: the real Pulumi, a new stack, and neither a cluster nor credentials. */
describe('a preview with no cluster at all', function () {
  this.timeout(120_000);
  const project = new PulumiProject({ KUBECONFIG: '/nonexistent/kubeconfig', CLUSTER_STATE: '/nonexistent/cluster' });
  after(() => {
    project.remove();
  });

  async function preview(name: string, file: string, changes: object = {}): Promise<string> {
    await project.environment(name, file, { ...changes });
    const { code, output } = await project.pulumi(['preview', '--stack', name]);
    assert.equal(code, 0, output);
    assert.match(
      output,
      /The cluster cannot be reached \(.*\): this preview assumes a new cluster, and does not know what becomes of InferenceStacks\./,
    );
    return output;
  }

  it('shows the whole dev environment as committed, and what its operators resolve to', async () => {
    const output = await preview('dev', 'Pulumi.dev.yaml');
    for (const line of ['v3: 3.1.0 (fast-v3, new)', 'v4: 4.1.0 (fast-v4, new)']) assert.ok(output.includes(line));
    for (const object of [
      'CustomResourceDefinition api-inferencestacks.models.titanml.co create',
      'ClusterRole api-inferencestacks.models.titanml.co-edit create',
      'ClusterCatalog catalog-inference-stack-catalog-dev create',
      'ClusterExtension operators-inference-stack-operator-v4 create',
    ]) {
      assert.ok(output.includes(object), output);
    }
    assert.match(output, /\+ \d+ to create\n/);
  });

  it('shows production as committed, but for where OLM’s manifest is', async () => {
    const olm = { replicas: 2, certificates: 'cert-manager', ...localOlm() };
    const output = await preview('prod', 'Pulumi.prod.yaml', { olm });
    assert.ok(output.includes('Certificate olm-catalogd-service-cert create'), output);
    assert.ok(output.includes('ValidatingAdmissionPolicyBinding guards-inference-stack-fleet-stacks create'), output);
    assert.ok(!output.includes('Undefined value'), output);
  });

  // Their catalogs are images in registries of their own, which no fork reaches.
  const unreachable = ['client', 'disconnected'];
  for (const example of readdirSync('examples').filter((name) => existsSync(`examples/${name}/Pulumi.example.yaml`))) {
    if (unreachable.includes(example)) continue;
    it(`shows the example ${example} as committed`, async () => {
      const file = `examples/${example}/Pulumi.example.yaml`;
      const changes = readFileSync(file, 'utf8').includes(':olm:') ? {} : { olm: localOlm() };
      const output = await preview(example, file, changes);
      assert.match(output, /v3: 3\.[01]\.0 \(fast-v3, new\)/);
    });
  }
});

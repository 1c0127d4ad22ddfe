import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { main } from '../../../../cli/main.ts';
import { catalogImageContent } from '../../../../components/images/catalog-content.ts';
import { CATALOGS, DEFINITIONS, EXTENSIONS } from '../../../../components/olm/resource-types.ts';
import type { KubernetesObject, ResourceType } from '../../../../packages/kube/object.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { BINDINGS } from '../../../support/kubernetes/install-guard.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { findProgram } from '../../../support/machine/program.ts';
import { sampleCatalog } from '../../../support/olm/sample-catalog.ts';
import { servedDefinitions } from '../../../support/olm/served-olm.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';
import { pushImage } from '../../../support/registry/push-image.ts';
import { RegistryServer } from '../../../support/registry/registry.ts';

const LEASES: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};
const LEASE = { namespace: 'inference-stack-operator-system', name: 'inference-stack-operator-v1' };

/** `uid resourceVersion` of each object, by its name. */
type Versions = Readonly<Record<string, string>>;

describe('the YAML of fleet manifests', function () {
  this.timeout(120_000);
  let registry: RegistryServer;
  const digests: string[] = [];

  before(async () => {
    registry = await RegistryServer.start();
    for (const versions of [
      ['1.0.0', '2.0.0'],
      ['1.0.0', '1.1.0', '2.0.0'],
    ]) {
      const content = catalogImageContent(sampleCatalog(versions));
      const repository = `${registry.host}/fleet/operator-catalog`;
      digests.push(`${repository}@${await pushImage(`${repository}:${versions.length}`, content)}`);
    }
  });
  after(() => registry.stop());

  async function print(image: string, ...options: readonly string[]): Promise<string> {
    const io = recordingIo();
    const all = ['--catalog-image', image, '--plain-http', '--operator=1', '--operator=2', ...options];
    assert.equal(await main(['manifests', ...all], io), 0, io.stderr());
    return io.stdout();
  }

  for (const version of ['1.10.0', '1.11.0']) {
    describe(`in a cluster with the CRDs of OLM ${version}`, () => {
      let plane: ControlPlane;
      let kubeconfig: string;
      let first: string;

      before(async () => {
        plane = await ControlPlane.start();
        kubeconfig = await plane.kubeconfig();
        for (const definition of servedDefinitions(version)) {
          await plane.client.create(DEFINITIONS, definition);
        }
        await eventually(() => plane.client.list(EXTENSIONS));
        await eventually(() => plane.client.list(CATALOGS));
        first = await print(digests[0] ?? '', `--olm-version=${version}`, '--guards', '--model-orchestra');
      });
      after(() => plane.stop());

      /** Runs kubectl as a person would, and returns what it prints; any warning fails the test. */
      async function kubectl(input: string, ...args: readonly string[]): Promise<string> {
        return new Promise((resolve, reject) => {
          const child = execFile(
            findProgram('kubectl'),
            [`--kubeconfig=${kubeconfig}`, ...args],
            { maxBuffer: 64 * 1024 * 1024 },
            (error, stdout, stderr) => {
              if (error === null && stderr === '') resolve(stdout);
              else reject(new Error(stderr, { cause: error }));
            },
          );
          child.stdin?.end(input);
        });
      }

      async function apply(yaml: string): Promise<Versions> {
        await kubectl(yaml, 'apply', '--server-side', '-f', '-');
        const { items } = JSON.parse(await kubectl(yaml, 'get', '-f', '-', '-o', 'json')) as {
          items: readonly KubernetesObject[];
        };
        return Object.fromEntries(
          items.map(({ kind, metadata: { name, uid = '', resourceVersion = '' } }) => [
            `${kind} ${name}`,
            `${uid} ${resourceVersion}`,
          ]),
        );
      }

      /** A new CRD is changed once more by the API server, when it begins to serve it. */
      async function served(): Promise<void> {
        await kubectl('', 'wait', '--for=condition=Established', 'customresourcedefinitions', '--all');
      }

      it('is applied as it is, and once more without any change', async () => {
        await apply(first);
        await served();
        const before = await apply(first);
        assert.equal(Object.keys(before).length, first.split(/^---$/m).length - 1);
        assert.deepEqual(await apply(first), before);
        assert.equal((await plane.client.listAll(BINDINGS)).length, 2);
      });

      it('leaves the Lease to the operator that holds it', async () => {
        await plane.client.mergePatch(LEASES, LEASE, { spec: { holderIdentity: 'operator-1' } });
        await apply(first);
        const lease = await plane.client.get(LEASES, LEASE);
        assert.deepEqual(lease['spec'], { holderIdentity: 'operator-1' });
      });

      it('moves the catalog alone when another one has the same rights', async () => {
        const before = await apply(first);
        const options = [`--olm-version=${version}`, '--guards', '--model-orchestra'];
        const next = await print(digests[1] ?? '', ...options, '--installed=1.0.0', '--installed=2.0.0');
        const after = await apply(next);
        const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
        assert.deepEqual(changed, ['ClusterCatalog inference-stack-catalog']);
      });
    });
  }
});

import assert from 'node:assert/strict';
import { main } from '../../../../cli/main.ts';
import { crdIncompatibilities, type Definition } from '../../../../components/api/crd-compatibility.ts';
import { readLiveDefinitions } from '../../../../components/api/read-live-definitions.ts';
import { unmetNeeds } from '../../../../components/api/unmet-needs.ts';
import { DEFINITIONS } from '../../../../components/olm/resource-types.ts';
import { GROUP, INFERENCE_STACK } from '../../../../packages/api/constants.ts';
import { isNotServed } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { createNamespace, newStack, stackCrd, stackType } from '../../../support/operator/stack-api.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

const NAME = `inferencestacks.${GROUP}`;
const OLD = stackType(INFERENCE_STACK, 'v1alpha1');
const NEW = stackType(INFERENCE_STACK, 'v1beta1');
const SPEC = { applications: { llama: { readerConfig: { modelName: 'a/b' }, replicaCount: 2 } } };
const FEWER = { applications: { llama: { readerConfig: { modelName: 'a/b' } } } };
const RETIRED = `CustomResourceDefinition ${NAME}: spec.versions[v1alpha1]: is no longer served. Serve it, or retire it as docs/how-to/retire-an-api-version.md says.`;

type Crd = KubernetesObject & Definition;
type Version = Definition['spec']['versions'][number];

/** The life of v1alpha1, from the version that everything is stored in to one that nobody remembers, step by step. */
describe('a version of the API that retires', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let crd: Crd;
  let kubeconfig: string;

  before(async () => {
    plane = await ControlPlane.start();
    kubeconfig = await plane.kubeconfig();
    await createNamespace(plane.client, 'team-a');
    crd = (await stackCrd()) as Crd;
  });
  after(() => plane.stop());

  /** The definition with some versions, each changed as told. */
  function having(changes: Readonly<Record<string, Partial<Version>>>): Crd {
    const versions = crd.spec.versions.filter(({ name }) => name in changes);
    return {
      ...crd,
      spec: { ...crd.spec, versions: versions.map((version) => ({ ...version, ...changes[version.name] })) },
    };
  }

  async function live(): Promise<Definition> {
    const [definition] = await readLiveDefinitions(plane.client);
    assert.ok(definition);
    return definition;
  }

  /** What the preview and the policy would say about a change. */
  async function judged(after: Definition): Promise<readonly string[]> {
    return crdIncompatibilities(await live(), after).map(formatProblem);
  }

  async function apply(definition: Crd): Promise<void> {
    await plane.client.apply(DEFINITIONS, definition, { fieldManager: 'fleet', force: true });
  }

  async function storedIn(): Promise<readonly string[] | undefined> {
    return (await live()).status?.storedVersions;
  }

  async function apiVersions(...options: readonly string[]): Promise<string> {
    const io = recordingIo();
    assert.equal(await main(['api-versions', '--kubeconfig', kubeconfig, ...options], io), 0, io.stderr());
    return io.stdout();
  }

  async function stack(name: string): Promise<KubernetesObject> {
    return plane.client.get(NEW, { namespace: 'team-a', name });
  }

  it('is at first the one that objects are stored in', async () => {
    await apply(having({ v1alpha1: { storage: true } }));
    await eventually(() => plane.client.list(OLD));
    const written = { ...newStack('team-a', 'old', SPEC), apiVersion: `${GROUP}/v1alpha1` };
    await plane.client.apply(OLD, written, { fieldManager: 'kubectl' });
    assert.deepEqual(await storedIn(), ['v1alpha1']);
  });

  it('is served beside its successor, which stores new objects', async () => {
    assert.deepEqual(await judged(crd), []);
    await apply(crd);
    await eventually(() => plane.client.list(NEW));
    await plane.client.apply(NEW, newStack('team-a', 'new', SPEC), { fieldManager: 'kubectl' });
    assert.deepEqual(await storedIn(), ['v1alpha1', 'v1beta1']);
    assert.deepEqual((await stack('old'))['spec'], (await stack('new'))['spec']);
  });

  it('cannot be removed while objects are stored in it, neither by us nor at the API server', async () => {
    const without = having({ v1beta1: {} });
    assert.deepEqual(await judged(without), [
      `CustomResourceDefinition ${NAME}: spec.versions: is gone, but objects may be stored in it (got "v1alpha1"). Run \`fleet api-versions --rewrite\` first, which stores them in the version of today.`,
      RETIRED,
    ]);
    await assert.rejects(
      apply(without),
      /status\.storedVersions\[0\]: Invalid value: "v1alpha1": missing from spec\.versions/,
    );
  });

  it('has its objects rewritten, each once and without a change, and is trimmed from what is stored', async () => {
    const before = [await stack('old'), await stack('new')];
    const said = await apiVersions('--rewrite');
    const after = [await stack('old'), await stack('new')];
    assert.match(said, /^Nothing of InferenceStack is stored in v1alpha1 any more\.$/m);
    assert.match(said, /^v1alpha1 +yes +no +InferenceStack team-a\/old \(kubectl\)$/m);
    assert.match(said, /^v1beta1 +yes +yes +InferenceStack team-a\/new \(kubectl\)$/m);
    assert.deepEqual(await storedIn(), ['v1beta1']);
    const [old, created] = before.map(
      ({ metadata }, index) => metadata.resourceVersion !== after[index]?.metadata.resourceVersion,
    );
    assert.deepEqual([old, created], [true, false], 'only what was stored in v1alpha1 is written');
    assert.deepEqual(
      after.map(({ metadata, ...rest }) => [metadata.generation, rest]),
      before.map(({ metadata, ...rest }) => [metadata.generation, rest]),
    );
    assert.doesNotMatch(await apiVersions('--rewrite'), /^Nothing/m);
    assert.deepEqual((await stack('old')).metadata, after[0]?.metadata, 'a second time nothing is written');
  });

  it('is served until nobody writes through it and no operator needs it, which is asked before it stops', async () => {
    const unserved = having({ v1alpha1: { served: false }, v1beta1: {} });
    assert.deepEqual(await judged(unserved), [RETIRED]);
    const needs = [{ definition: NAME, version: 'v1alpha1' }];
    assert.deepEqual(
      unmetNeeds([unserved], [{ operator: 'inference-stack-operator.v3.0.0', needs }]).map(formatProblem),
      [
        `CustomResourceDefinition ${NAME}: spec.versions[v1alpha1]: is not served, but inference-stack-operator.v3.0.0 needs it. Serve it until no operator of the fleet needs it.`,
      ],
    );
    // The team moves its file to the successor; its fields stay its own.
    await plane.client.apply(NEW, newStack('team-a', 'old', SPEC), { fieldManager: 'kubectl' });
    assert.match(await apiVersions(), /^v1alpha1 +yes +no +-$/m);
    await apply(unserved);
    await eventually(() => assert.rejects(plane.client.list(OLD), isNotServed));
    assert.deepEqual((await stack('old'))['spec'], SPEC);
  });

  it('goes, and its objects are what they were', async () => {
    const without = having({ v1beta1: {} });
    assert.deepEqual(await judged(without), []);
    await apply(without);
    await eventually(async () =>
      assert.deepEqual(
        (await live()).spec.versions.map(({ name }) => name),
        ['v1beta1'],
      ),
    );
    assert.deepEqual((await stack('old'))['spec'], SPEC);
    await plane.client.apply(NEW, newStack('team-a', 'old', FEWER), { fieldManager: 'kubectl' });
    assert.deepEqual((await stack('old'))['spec'], FEWER, 'whoever applied it still owns what it said');
  });
});

import assert from 'node:assert/strict';
import yaml from 'js-yaml';
import type { FbcBundle } from '../../../components/catalog/fbc.ts';
import { renderCatalog } from '../../../components/catalog/render.ts';
import { resolve } from '../../../components/catalog/resolve.ts';
import type { CatalogFilter } from '../../../components/catalog/served-catalog.ts';
import { parseTemplate, templateImages } from '../../../components/catalog/template.ts';
import { EXTENSION_GUARD } from '../../../components/guards/extension-guard.ts';
import { stackGuard } from '../../../components/guards/stack-guard.ts';
import { DEFINITIONS, EXTENSIONS } from '../../../components/olm/resource-types.ts';
import { DEFAULT_OLM } from '../../../components/olm/versions.ts';
import { MODEL_ORCHESTRA } from '../../../packages/api/constants.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';
import { run } from '../../../packages/lib/command.ts';
import { objectAt, objectsAt, textAt } from '../../../packages/lib/json.ts';
import type { ControlPlane } from '../../support/kubernetes/control-plane.ts';
import { installGuard } from '../../support/kubernetes/install-guard.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { findProgram } from '../../support/machine/program.ts';
import { servedDefinitions } from '../../support/olm/served-olm.ts';
import { TestOperator } from '../../support/operator/operator.ts';
import { installCrd, ownedType, stackCrd, stackType } from '../../support/operator/stack-api.ts';
import { startPlane } from '../../support/operator/stack-plane.ts';
import {
  CATALOG_OF_ONE_CHANNEL,
  CATALOG_OF_TWO_CHANNELS,
  EXTENSION,
  ORCHESTRA_WITH_VERSION,
  ORCHESTRA_WITHOUT_VERSION,
} from '../../support/people/makers-documents.ts';

const ORCHESTRAS = stackType(MODEL_ORCHESTRA, 'v1alpha1');
const NAME = 'my-model-orchestra';
const WATCHES = '[{version: v1beta1, kind: InferenceStack}, {version: v1beta1, kind: ModelOrchestra}]';

/** What the makers' bundle images would add to a catalog: they are theirs, so only the name and the version of each is here. */
function bundleOf(image: string): FbcBundle {
  const packageName = 'model-orchestra-operator';
  const version = image.slice(image.lastIndexOf(':') + 1);
  const properties = [{ type: 'olm.package', value: { packageName, version } }];
  return { schema: 'olm.bundle', name: `${packageName}.v${version}`, package: packageName, image, properties };
}

describe('the objects of the makers’ documents, applied as they stand there', function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let operator: TestOperator;
  let kubeconfig: string;

  before(async () => {
    plane = await startPlane([0]);
    kubeconfig = await plane.kubeconfig();
    await installCrd(plane.client, await stackCrd(MODEL_ORCHESTRA));
    for (const definition of servedDefinitions(DEFAULT_OLM)) await plane.client.create(DEFINITIONS, definition);
    await eventually(() => plane.client.list(EXTENSIONS));
    for (const guard of [EXTENSION_GUARD, stackGuard([0, 3])]) await installGuard(plane.client, guard);
    const other = ORCHESTRA_WITH_VERSION.replace('0.2.13', 'v9');
    await eventually(() => assert.rejects(kubectl(other, 'create', '--dry-run=server', '-f', '-')), 30_000);
    operator = await TestOperator.start(plane.connection, { version: '0.2.13', watches: WATCHES });
  });
  after(async () => {
    await operator.stop();
    await plane.stop();
  });

  async function kubectl(input: string, ...args: readonly string[]): Promise<string> {
    return run(findProgram('kubectl'), [`--kubeconfig=${kubeconfig}`, ...args], { input });
  }

  async function isServed(): Promise<void> {
    await eventually(async () => {
      const ref = { namespace: 'default', name: NAME };
      const { metadata, status } = (await plane.client.get(ORCHESTRAS, ref)) as unknown as InferenceStack;
      assert.equal(status?.operatorVersion, '0.2.13');
      assert.equal(status.observedGeneration, metadata.generation);
    });
    const deployment = await kubectl('', 'get', 'deployment', `${NAME}-inference-stack-hello-world`, '-o', 'json');
    const pod = objectAt(JSON.parse(deployment), 'spec', 'template', 'spec');
    assert.deepEqual(pod['nodeSelector'], { 'nvidia.com/gpu.product': 'NVIDIA-GeForce-RTX-3060' });
    assert.deepEqual(pod['imagePullSecrets'], [{ name: 'regcred' }]);
    const ref = { namespace: 'default', name: `${NAME}-inference-stack-hello-world` };
    const { data } = (await plane.client.get(ownedType('ConfigMap'), ref)) as unknown as {
      data: Record<string, string>;
    };
    assert.match(Object.values(data).join(), /model_name: unsloth\/Llama-3\.2-1B-Instruct\n/);
    await kubectl('', 'get', 'deployment', `${NAME}-inference-stack-gateway`);
  }

  it('have a ModelOrchestra with `operatorVersion: 0.2.13` served by that version of the operator', async () => {
    await kubectl(ORCHESTRA_WITH_VERSION, 'apply', '-f', '-');
    await isServed();
    await kubectl(ORCHESTRA_WITH_VERSION, 'delete', '-f', '-');
  });

  it('have it say what is there where the operator of its major is older', async () => {
    const newer = ORCHESTRA_WITH_VERSION.replace('0.2.13', '0.2.14');
    await kubectl(newer, 'apply', '-f', '-');
    await eventually(async () => {
      const text = await kubectl('', 'get', 'modelorchestra', NAME, '-o', 'json');
      const conditions = objectsAt(JSON.parse(text), 'status', 'conditions');
      const accepted = conditions.find(({ type }) => type === 'Accepted');
      assert.match(textAt(accepted, 'message'), /asks for operator 0\.2\.14 or newer, but 0\.2\.13 is installed/);
    });
    await kubectl(newer, 'delete', '-f', '-');
  });

  it('have one without the label refused with the operators that there are, and served once it has it', async () => {
    await assert.rejects(
      kubectl(ORCHESTRA_WITHOUT_VERSION, 'apply', '-f', '-'),
      /ModelOrchestra my-model-orchestra has no label operatorVersion, so no operator would serve it\. Operators of this cluster: v0, v3\./,
    );
    const labelled = yaml.load(ORCHESTRA_WITHOUT_VERSION) as { metadata: object };
    labelled.metadata = { ...labelled.metadata, labels: { operatorVersion: '0.2.13' } };
    await kubectl(yaml.dump(labelled), 'apply', '-f', '-');
    await isServed();
  });

  it('have the ClusterExtension beside the guards of ours, with what the catalog of the same document has for it', async () => {
    await kubectl(EXTENSION, 'apply', '-f', '-');
    const { spec } = yaml.load(EXTENSION) as { spec: { source: { catalog: CatalogFilter } } };
    for (const text of [CATALOG_OF_TWO_CHANNELS, CATALOG_OF_ONE_CHANNEL]) {
      const template = parseTemplate(text, 'operator_catalog.yaml');
      const bundles = new Map(templateImages(template).map((image) => [image, bundleOf(image)]));
      const content = renderCatalog({ template, bundles, file: 'operator_catalog.yaml' });
      const found = resolve(spec.source.catalog, [{ name: 'catalog', packages: [content] }]);
      assert.equal(found.outcome, 'resolved');
      assert.equal(found.image, 'docker.io/tytn/operator-bundle:0.1.0');
    }
  });
});

import assert from 'node:assert/strict';
import type { Definition } from '../../../../components/api/crd-compatibility.ts';
import { InferenceStackApi } from '../../../../components/api/inference-stack-api.ts';
import { unmetNeeds } from '../../../../components/api/unmet-needs.ts';
import { apiNeedsOf } from '../../../../components/bundle/api-needs.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { readDefinitions } from '../../../../components/api/definitions.ts';
import { runProgram } from '../../../support/pulumi/pulumi-program.ts';
import { sampleBundle } from '../../../support/olm/sample-catalog.ts';

const NAME = 'inferencestacks.models.titanml.co';
const BUNDLE = sampleBundle('1.2.0');
const OPERATOR = { operator: BUNDLE.name, needs: apiNeedsOf(BUNDLE) };

/** The committed definition with some versions no longer served. */
async function withoutVersions(...versions: readonly string[]): Promise<Definition> {
  const [committed] = await readDefinitions();
  assert.ok(committed);
  const { spec } = committed;
  const changed = spec.versions.map((each) => ({ ...each, served: each.served && !versions.includes(each.name) }));
  return { ...committed, spec: { ...spec, versions: changed } };
}

describe('what an operator needs of the API', () => {
  it('is said by its bundle: what its controller reads, and what its users write', () => {
    assert.deepEqual(OPERATOR.needs, [{ definition: NAME, version: 'v1beta1' }]);
    assert.deepEqual(apiNeedsOf(sampleBundle('1.2.0', 'v1alpha1')), [
      { definition: NAME, version: 'v1alpha1' },
      { definition: NAME, version: 'v1beta1' },
    ]);
  });

  it('is nothing for a bundle that does not say', () => {
    assert.deepEqual(apiNeedsOf({ ...BUNDLE, properties: [] }), []);
  });

  it('is met by the committed definition', async () => {
    assert.deepEqual(unmetNeeds([await withoutVersions()], [OPERATOR]), []);
  });

  it('is missed when its version is no longer served', async () => {
    assert.deepEqual(unmetNeeds([await withoutVersions('v1beta1')], [OPERATOR]).map(formatProblem), [
      `CustomResourceDefinition ${NAME}: spec.versions[v1beta1]: is not served, but inference-stack-operator.v1.2.0 ` +
        'needs it. Serve it until no operator of the fleet needs it.',
    ]);
  });

  it('is missed when the definition is of another group, and the variable is named that decides it', async () => {
    const other: Definition = { ...(await withoutVersions()), metadata: { name: 'inferencestacks.example.com' } };
    assert.deepEqual(unmetNeeds([other], [OPERATOR]).map(formatProblem), [
      `CustomResourceDefinition ${NAME}: spec.versions[v1beta1]: is not served, but inference-stack-operator.v1.2.0 ` +
        'needs it. Set INFERENCE_STACK_API_GROUP=models.titanml.co, or use a catalog whose operators were built for example.com.',
    ]);
  });

  it('keeps the API from being applied, even to a cluster that has none yet', async () => {
    const definition = await withoutVersions('v1beta1');
    const apply = runProgram(() => {
      new InferenceStackApi('api', {
        definitions: [{ ...definition, metadata: { name: NAME } }],
        live: [],
        operators: [OPERATOR],
        protect: true,
      });
    });
    await assert.rejects(apply, /is not served, but inference-stack-operator\.v1\.2\.0 needs it/);
  });
});

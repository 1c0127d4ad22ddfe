import assert from 'node:assert/strict';
import type { Definition } from '../../../../components/api/crd-compatibility.ts';
import {
  InferenceStackApi,
  type AppliedDefinition,
  type InferenceStackApiArgs,
} from '../../../../components/api/inference-stack-api.ts';
import { runProgram, type ProgramResult } from '../../../support/pulumi/pulumi-program.ts';

const NAME = 'inferencestacks.models.titanml.co';

function definition(properties: Readonly<Record<string, object>>): AppliedDefinition {
  return {
    metadata: { name: NAME },
    spec: {
      group: 'models.titanml.co',
      scope: 'Namespaced',
      names: { kind: 'InferenceStack', plural: 'inferencestacks' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  };
}

const WIDE = definition({ gateway: { type: 'object' }, note: { type: 'string' } });
const NARROW = definition({ gateway: { type: 'object' } });

async function apply(
  after: AppliedDefinition,
  live: readonly Definition[],
  acceptChanges: readonly string[] = [],
): Promise<ProgramResult> {
  return runProgram(() => {
    new InferenceStackApi('api', { definitions: [after], live, acceptChanges });
  });
}

describe('InferenceStackApi', () => {
  it('protects and retains the definitions, and waits until they are served', async () => {
    const crd = (await apply(WIDE, [])).find('kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition', NAME);
    assert.equal(crd.options.retainOnDelete, true);
    assert.equal(crd.options.protect, true);
    assert.deepEqual(crd.inputs['metadata'], {
      name: NAME,
      labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' },
      annotations: { 'pulumi.com/patchForce': 'true', 'pulumi.com/waitFor': 'condition=Established' },
    });
  });

  it('accepts what only adds to the cluster’s definition', async () => {
    assert.equal((await apply(WIDE, [NARROW])).resources.length > 0, true);
  });

  it('refuses to take a field away from the cluster’s definition', async () => {
    await assert.rejects(apply(NARROW, [WIDE]), (error: Error) => {
      assert.match(error.message, new RegExp(`^CustomResourceDefinition ${NAME}: spec\\.versions\\[v1\\]\\.note: `));
      return true;
    });
  });

  it('refuses to take a version from an operator that needs it, also where the change was accepted', async () => {
    const versions = ['v1', 'v2'].map((name) => ({ name, served: name === 'v2', storage: name === 'v2' }));
    const after = { ...WIDE, spec: { ...WIDE.spec, versions } };
    const operators = [{ operator: 'operator.v1.0.0', needs: [{ definition: NAME, version: 'v1' }] }];
    const acceptChanges = ['spec.versions[v1]'];
    const args = { definitions: [after], live: [WIDE], protect: true, acceptChanges };
    const declare = async (needed: InferenceStackApiArgs['operators'] = []): Promise<ProgramResult> =>
      runProgram(() => {
        new InferenceStackApi('api', { ...args, operators: needed });
      });
    assert.ok(await declare());
    await assert.rejects(declare(operators), /spec\.versions\[v1\]: is not served, but operator\.v1\.0\.0 needs it/);
  });

  it('refuses to take a version in which objects may be stored, whatever was accepted', async () => {
    const versions = [{ name: 'v2', served: true, storage: true }];
    const after = { ...WIDE, spec: { ...WIDE.spec, versions } };
    const accepted = ['spec.versions', 'spec.versions[v1]'];
    await assert.rejects(
      apply(after, [WIDE], accepted),
      /may be stored in it \(got "v1"\)\. Run `fleet api-versions --rewrite`/,
    );
    assert.ok(await apply(after, [{ ...WIDE, status: { storedVersions: ['v2'] } }], accepted));
  });

  it('refuses served versions with different schemas, also in a cluster that has none yet', async () => {
    const [version] = WIDE.spec.versions;
    const other = { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };
    const after = { ...WIDE, spec: { ...WIDE.spec, versions: version === undefined ? [] : [version, other] } };
    await assert.rejects(apply(after, []), /spec\.versions\[v2\]\.schema: is another one than that of v1/);
  });

  it('takes away what was accepted by its path', async () => {
    assert.ok(
      (await apply(NARROW, [WIDE], ['spec.versions[v1].note'])).find(
        'kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition',
        NAME,
      ),
    );
  });
});

import assert from 'node:assert/strict';
import { FleetGuards } from '../../../../components/guards/fleet-guards.ts';
import { celText } from '../../../../components/guards/policy.ts';
import { objectName, runProgram, type ProgramResult } from '../../../support/pulumi/pulumi-program.ts';

const POLICY = 'kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy';
const BINDING = 'kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicyBinding';

async function guards(action: 'deny' | 'warn'): Promise<ProgramResult> {
  return runProgram(() => {
    new FleetGuards('guards', { majors: [2, 1], action });
  });
}

describe('FleetGuards', () => {
  it('binds a policy for extensions and one for stacks', async () => {
    const { resources } = await guards('deny');
    const registered = resources.filter(({ type }) => type === POLICY || type === BINDING).map(objectName);
    assert.deepEqual(registered.sort(), [
      'inference-stack-fleet-extensions',
      'inference-stack-fleet-extensions',
      'inference-stack-fleet-stacks',
      'inference-stack-fleet-stacks',
    ]);
  });

  it('refuses when told to deny, and only warns when told to warn', async () => {
    const actions = (result: ProgramResult): unknown =>
      (result.find(BINDING, 'inference-stack-fleet-stacks').inputs['spec'] as { validationActions: unknown })
        .validationActions;
    assert.deepEqual(actions(await guards('deny')), ['Deny']);
    assert.deepEqual(actions(await guards('warn')), ['Warn', 'Audit']);
  });

  it('holds writers of extensions to a list where there is one', async () => {
    const result = await runProgram(() => {
      const writers = { users: ['anna'], groups: [], appliers: [] };
      new FleetGuards('guards', { majors: [1], action: 'deny', writers });
    });
    const { spec } = result.find(POLICY, 'inference-stack-fleet-writers').inputs;
    const { matchConstraints } = spec as { matchConstraints: { resourceRules: { operations: string[] }[] } };
    assert.deepEqual(matchConstraints.resourceRules[0]?.operations, ['CREATE', 'UPDATE', 'DELETE']);
    assert.ok(result.find(BINDING, 'inference-stack-fleet-writers'));
  });

  it('fails closed', async () => {
    const spec = (await guards('deny')).find(POLICY, 'inference-stack-fleet-extensions').inputs['spec'];
    assert.equal((spec as { failurePolicy: string }).failurePolicy, 'Fail');
  });
});

describe('a text in CEL', () => {
  it('cannot end its own literal', () => {
    assert.equal(celText(`it's \\ here`), `'it\\'s \\\\ here'`);
  });
});

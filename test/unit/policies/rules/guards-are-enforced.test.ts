import assert from 'node:assert/strict';
import type { Facts } from '../../../../policies/knowledge/facts.ts';
import { ObjectReader, UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { policySpec } from '../../../../components/guards/policy.ts';
import { WRITERS_GUARD, writersGuard } from '../../../../components/guards/writers-guard.ts';
import { writersOf } from '../../../../components/guards/writers.ts';
import { guardsAreEnforced } from '../../../../policies/rules/guards-are-enforced.ts';
import { extension, guards, namespace } from '../../../support/policies/objects.ts';
import { patch, refused } from '../../../support/policies/program.ts';
import { unknowns, violations, withChanges, type Change } from '../../../support/policies/support.ts';

const [POLICY, BINDING, STACKS, STACKS_BINDING] = guards();
const NOTHING = { definitions: [], catalogs: [] };
const EXTENSIONS = 'inference-stack-fleet-extensions';

function found(...objects: readonly object[]): string[] {
  return violations(guardsAreEnforced, objects);
}

/** A fleet whose guard of extensions has another policy, another binding, or none. */
function fleet(...guard: readonly object[]): object[] {
  return [extension(), ...guard, STACKS, STACKS_BINDING, namespace()];
}

describe('guards-are-enforced', () => {
  it('admits a fleet with its guards', () => assert.deepEqual(found(...fleet(POLICY, BINDING)), []));

  it('admits what an API server adds to them', () => {
    const constraints = ['spec', 'matchConstraints'];
    const changes: Change[] = [
      [[...constraints, 'matchPolicy'], 'Equivalent'],
      [[...constraints, 'namespaceSelector'], {}],
      [[...constraints, 'objectSelector'], {}],
      [[...constraints, 'resourceRules', 0, 'scope'], '*'],
    ];
    const defaulted = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };
    const binding = withChanges(BINDING, [['spec', 'matchResources'], defaulted]);
    assert.deepEqual(found(...fleet(withChanges(POLICY, ...changes), binding)), []);
  });

  it('admits guards of other majors than those of this program', () => {
    const [, , other] = guards([7]);
    assert.deepEqual(found(extension(), POLICY, BINDING, other, STACKS_BINDING), []);
  });

  it('asks for no guards where there is no operator, or only somebody else’s', () => {
    const foreign = withChanges(extension(), [['spec', 'source', 'catalog', 'packageName'], 'prometheus']);
    assert.deepEqual([found(), found(foreign)], [[], []]);
  });

  it('refuses operators without guards, as with `guards: off`', () => {
    const missing = (guard: string): string =>
      `ClusterExtension inference-stack-operator-v2 should not be without its guard: there is no ValidatingAdmissionPolicy ${guard} and no ValidatingAdmissionPolicyBinding of ${guard}.`;
    assert.deepEqual(found(extension()), [missing(EXTENSIONS), missing('inference-stack-fleet-stacks')]);
  });

  it('asks no guards of a program that only patches the extension of another', async () => {
    const facts: Facts = { catalogs: [], cluster: { extensions: [new ObjectReader(extension())], ...NOTHING } };
    assert.deepEqual(await refused(guardsAreEnforced, [patch(extension())], facts), []);
  });

  it('refuses a guard of which one half is missing', () => {
    const start = 'ClusterExtension inference-stack-operator-v2 should not be without its guard: there is no';
    assert.deepEqual(found(...fleet(POLICY)), [`${start} ValidatingAdmissionPolicyBinding of ${EXTENSIONS}.`]);
    assert.deepEqual(found(...fleet(BINDING)), [`${start} ValidatingAdmissionPolicy ${EXTENSIONS}.`]);
  });

  describe('of a binding', () => {
    const NAME = `ValidatingAdmissionPolicyBinding ${EXTENSIONS}`;
    const broken: Record<string, readonly [Change, string]> = {
      'that only warns': [
        [
          ['spec', 'validationActions'],
          ['Warn', 'Audit'],
        ],
        'should refuse what breaks the rules of the fleet (validationActions: [Deny]), not only Warn, Audit',
      ],
      'that is for some namespaces only': [
        [['spec', 'matchResources'], { namespaceSelector: { matchLabels: { a: 'b' } } }],
        'should hold for everything that its policy is about (matchResources)',
      ],
      'that leaves out some resources': [
        [['spec', 'matchResources'], { excludeResourceRules: [{ resources: ['*'] }] }],
        'should hold for everything that its policy is about (matchResources)',
      ],
    };
    for (const [what, [change, message]] of Object.entries(broken)) {
      it(`refuses one ${what}`, () => {
        assert.deepEqual(found(...fleet(POLICY, withChanges(BINDING, change))), [`${NAME} ${message}.`]);
      });
    }

    it('refuses it also by itself, without the fleet', () => {
      assert.equal(found(withChanges(BINDING, [['spec', 'validationActions'], ['Audit']])).length, 1);
    });

    it('admits another one beside one that refuses', () => {
      const warning = withChanges(
        BINDING,
        [['metadata', 'name'], 'also-warn'],
        [['spec', 'validationActions'], ['Warn']],
      );
      assert.deepEqual(found(...fleet(POLICY, BINDING, warning)), []);
    });

    it('judges a patch by what it leaves, and an unknown action not at all', async () => {
      const { apiVersion, kind, metadata } = BINDING as Record<string, unknown>;
      const warn = patch({ apiVersion, kind, metadata, spec: { validationActions: ['Warn'] } });
      const weak = withChanges(BINDING, [['spec', 'validationActions'], ['Audit']]);
      assert.deepEqual(await refused(guardsAreEnforced, [warn], clusterWith(BINDING)), []);
      assert.equal((await refused(guardsAreEnforced, [warn], clusterWith(weak))).length, 1);
      assert.deepEqual(await refused(guardsAreEnforced, [warn]), []);
      const unknown = withChanges(BINDING, [['spec', 'validationActions'], UNKNOWN]);
      assert.deepEqual(unknowns(guardsAreEnforced, [unknown]), [
        `${NAME}: spec.validationActions is known only after the update.`,
      ]);
    });
  });

  describe('of a policy', () => {
    const NAME = `ValidatingAdmissionPolicy ${EXTENSIONS}`;
    const constraints = ['spec', 'matchConstraints'];
    const broken: Record<string, readonly [Change, string]> = {
      'that lets pass what it cannot judge': [
        [['spec', 'failurePolicy'], 'Ignore'],
        'should refuse what it cannot judge (failurePolicy: Fail)',
      ],
      'that looks at new objects only': [
        [[...constraints, 'resourceRules', 0, 'operations'], ['CREATE']],
        'should look at everything that the fleet is about (matchConstraints)',
      ],
      'that leaves some objects out': [
        [[...constraints, 'objectSelector'], { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] }],
        'should look at everything that the fleet is about (matchConstraints)',
      ],
      'with a condition of its own': [
        [['spec', 'matchConditions', 2], { name: 'never', expression: 'false' }],
        'should have no conditions besides those of the fleet (matchConditions: never)',
      ],
      'with a condition that was changed': [
        [['spec', 'matchConditions', 0, 'expression'], 'false'],
        'should have no conditions besides those of the fleet (matchConditions: is-of-our-package)',
      ],
      'with a variable that was changed': [
        [['spec', 'variables', 0, 'expression'], 'true'],
        'should keep the checks of the fleet (variables)',
      ],
      'that lacks a check': [[['spec', 'validations'], []], 'should keep the checks of the fleet (validations)'],
    };
    for (const [what, [change, message]] of Object.entries(broken)) {
      it(`refuses one ${what}`, () => {
        assert.deepEqual(found(...fleet(withChanges(POLICY, change), BINDING)), [`${NAME} ${message}.`]);
      });
    }

    it('refuses a weaker one of stacks, whatever its majors', () => {
      const weak = withChanges(STACKS, [['spec', 'validations', 1, 'expression'], 'true']);
      assert.equal(found(extension(), POLICY, BINDING, weak, STACKS_BINDING).length, 1);
    });

    it('judges a patch that adds a condition', async () => {
      const { apiVersion, kind, metadata } = POLICY as Record<string, unknown>;
      const never = { matchConditions: [{ name: 'never', expression: 'false' }] };
      const found = await refused(
        guardsAreEnforced,
        [patch({ apiVersion, kind, metadata, spec: never })],
        clusterWith(POLICY),
      );
      assert.equal(found.length, 1);
    });
  });

  describe('of the guard of writers, which is there only where somebody wants it', () => {
    const holding = (...listed: readonly string[]): object =>
      withChanges(
        POLICY,
        [['metadata', 'name'], WRITERS_GUARD],
        [['spec'], policySpec(writersGuard(writersOf(listed, { username: 'applier', groups: [] })))],
      );
    const binding = withChanges(
      BINDING,
      [['metadata', 'name'], WRITERS_GUARD],
      [['spec', 'policyName'], WRITERS_GUARD],
    );
    const withWriters = (...guard: readonly object[]): string[] => found(...fleet(POLICY, BINDING), ...guard);

    it('admits it, whoever is on the list', () => {
      assert.deepEqual(withWriters(holding(), binding), []);
      assert.deepEqual(withWriters(holding('Group platform', "User it's"), binding), []);
    });

    it('refuses half of it', () => {
      const start = 'ClusterExtension inference-stack-operator-v2 should not be without its guard: there is no';
      assert.deepEqual(withWriters(holding()), [`${start} ValidatingAdmissionPolicyBinding of ${WRITERS_GUARD}.`]);
      assert.deepEqual(withWriters(binding), [`${start} ValidatingAdmissionPolicy ${WRITERS_GUARD}.`]);
    });

    it('refuses one that only warns', () => {
      assert.equal(withWriters(holding(), withChanges(binding, [['spec', 'validationActions'], ['Warn']])).length, 1);
    });

    const NAME = `ValidatingAdmissionPolicy ${WRITERS_GUARD}`;
    const broken: Record<string, readonly [object, string]> = {
      'that lets others delete': [
        withChanges(holding(), [
          ['spec', 'matchConstraints', 'resourceRules', 0, 'operations'],
          ['CREATE', 'UPDATE'],
        ]),
        'should look at everything that the fleet is about (matchConstraints)',
      ],
      'whose list is no list': [
        withChanges(holding(), [['spec', 'variables', 0, 'expression'], '[request.userInfo.username]']),
        'should keep the checks of the fleet (variables)',
      ],
      'that admits everybody': [
        holding('Group system:authenticated'),
        'should not admit Group system:authenticated, which is everybody',
      ],
    };
    for (const [what, [policy, message]] of Object.entries(broken)) {
      it(`refuses one ${what}`, () => assert.deepEqual(withWriters(policy, binding), [`${NAME} ${message}.`]));
    }
  });

  it('refuses a namespace of operators that admits pods with privileges', () => {
    const label = ['metadata', 'labels', 'pod-security.kubernetes.io/enforce'];
    const message =
      'Namespace inference-stack-operator-system should admit only pods without privileges (label pod-security.kubernetes.io/enforce: restricted).';
    assert.deepEqual(found(withChanges(namespace(), [label, 'privileged'])), [message]);
    assert.deepEqual(found(withChanges(namespace(), [['metadata', 'labels'], undefined])), [message]);
    assert.deepEqual(found(withChanges(namespace(), [['metadata'], { name: 'team-a' }])), []);
  });
});

function clusterWith(object: object): Facts {
  return { catalogs: [], cluster: { extensions: [], ...NOTHING, patched: [new ObjectReader(object)] } };
}

import assert from 'node:assert/strict';
import yaml from 'js-yaml';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { run } from '../../../../packages/lib/command.ts';
import { objectAt, objectsAt, textAt, valueAt } from '../../../../packages/lib/json.ts';
import type { Made } from '../../../support/operator/made-in-group.ts';

const DEFAULT = 'models.titanml.co';
const OTHER = 'doublewordai.co';
const KINDS = ['inferencestacks', 'modelorchestras'];

/** What the code makes in a process that is told an API group. */
async function madeIn(group?: string): Promise<Made> {
  const env = { ...process.env, INFERENCE_STACK_API_GROUP: group };
  const text = await run('node', ['test/support/operator/made-in-group.ts'], { cwd: checkout, env });
  return JSON.parse(text) as Made;
}

/** The parts of what is made, as text. */
function partsOf(made: Made): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(made).map(([part, value]) => [part, JSON.stringify(value)]));
}

describe('another API group, said by INFERENCE_STACK_API_GROUP,', function () {
  this.timeout(120_000);
  let made: Made;
  before(async () => (made = await madeIn(OTHER)));

  it('is the group of the CRDs, generated or installed, and of the page about them', () => {
    for (const plural of KINDS) {
      const { metadata, spec } = yaml.load(made.generated[`packages/api/crds/${plural}.yaml`] ?? '') as {
        metadata: unknown;
        spec: unknown;
      };
      assert.deepEqual([textAt(metadata, 'name'), textAt(spec, 'group')], [`${plural}.${OTHER}`, OTHER]);
    }
    assert.ok(made.generated['docs/reference/inference-stack.md']?.includes(`Group \`${OTHER}\``));
    const installed = made.definitions.map((each) => [each.metadata.name, textAt(each, 'spec', 'group')]);
    assert.deepEqual(
      installed,
      KINDS.map((plural) => [`${plural}.${OTHER}`, OTHER]),
    );
  });

  it('is the group of which people get rights', () => {
    assert.deepEqual(
      made.roles.map(({ name }) => name),
      KINDS.flatMap((plural) => [`${plural}.${OTHER}-view`, `${plural}.${OTHER}-edit`]),
    );
    for (const { rules } of made.roles) for (const { apiGroups } of rules) assert.deepEqual(apiGroups, [OTHER]);
  });

  it('is the group that an operator gets rights for, needs, and is told to serve', () => {
    const role = yaml.load(made.bundle['manifests/cluster-role.yaml'] ?? '');
    const ours = objectsAt(role, 'rules').filter(({ resources }) => /stacks|orchestras/.test(String(resources)));
    assert.equal(ours.length, 3);
    for (const { apiGroups } of ours) assert.deepEqual(apiGroups, [OTHER]);

    const csv = yaml.load(made.bundle['manifests/inference-stack-operator.clusterserviceversion.yaml'] ?? '');
    const needs = objectAt(csv, 'metadata', 'annotations')['inference-stack-fleet/api-needs'];
    assert.equal(needs, `inferencestacks.${OTHER}/v1beta1`);
    assert.match(textAt(csv, 'spec', 'description'), new RegExp(`apiVersion: ${OTHER}/v1beta1`));
    const [deployment] = objectsAt(csv, 'spec', 'install', 'spec', 'deployments');
    const [container] = objectsAt(deployment, 'spec', 'template', 'spec', 'containers');
    const variable = objectsAt(container, 'env').find(({ name }) => name === 'INFERENCE_STACK_API_GROUP');
    assert.equal(variable?.['value'], OTHER);
    assert.deepEqual(made.watched, [OTHER, OTHER]);
  });

  it('is the group whose stacks the guard checks', () => {
    const [rule] = objectsAt(made.guard, 'matchConstraints', 'resourceRules');
    assert.deepEqual(valueAt(rule, 'apiGroups'), [OTHER]);
  });

  it('is the group of the annotations on what a stack becomes', () => {
    for (const annotation of ['config-hash', 'deletion-policy']) {
      assert.match(made.printed.render, new RegExp(`^ +${OTHER}/${annotation}: `, 'm'));
    }
  });

  it('is the group of the stacks that programs declare, that commands read, and that `make up` shows', () => {
    assert.deepEqual([made.declared.apiVersion, made.demo.apiVersion], [`${OTHER}/v1beta1`, `${OTHER}/v1beta1`]);
    assert.match(made.printed.explain, /^InferenceStack team-a\/chat, served by operator v3$/m);
    assert.match(made.printed.status, /^team-a\/chat +v3 /m);
    assert.match(
      made.refused,
      new RegExp(`must be ${OTHER}/v1alpha1 or ${OTHER}/v1beta1 \\(got "example\\.com/v1beta1"\\)`),
    );
    assert.match(made.kept, new RegExp(`delete crd inferencestacks\\.${OTHER}\\n`));
  });

  it('is the group of all that the program registers', () => {
    const names = made.registered.map(({ name }) => name);
    for (const plural of KINDS) {
      for (const end of ['', '-view', '-edit'])
        assert.ok(names.includes(`api-${plural}.${OTHER}${end}`), names.join('\n'));
    }
  });

  it('is the group of what rules judge', () => assert.deepEqual(made.judged, [true, true, true]));

  it('leaves no word of the default group anywhere', () => {
    for (const [part, text] of Object.entries(partsOf(made))) assert.ok(!text.includes(DEFAULT), part);
  });

  it('changes nothing but the group, and is not meant by an empty variable', async () => {
    const parts = Object.entries(partsOf(made));
    for (const unset of [await madeIn(), await madeIn('')].map(partsOf)) {
      for (const [part, text] of parts) {
        // The program also registers certificates, which are never the same twice.
        if (part !== 'registered') assert.ok(text.replaceAll(OTHER, DEFAULT) === unset[part], part);
      }
    }
  });
});

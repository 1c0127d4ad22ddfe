import assert from 'node:assert/strict';
import { readDefinitions } from '../../../../components/api/definitions.ts';
import { InferenceStackApi } from '../../../../components/api/inference-stack-api.ts';
import { noDangerousRights } from '../../../../policies/rules/no-dangerous-rights.ts';
import { noWildcardRbac } from '../../../../policies/rules/no-wildcard-rbac.ts';
import { olmWritersAreKnown } from '../../../../policies/rules/olm-writers-are-known.ts';
import { violations } from '../../../support/policies/support.ts';
import { objectName, runProgram, type Registered } from '../../../support/pulumi/pulumi-program.ts';

const TYPE = 'kubernetes:rbac.authorization.k8s.io/v1:ClusterRole';
const STACKS = 'inferencestacks.models.titanml.co';
const ORCHESTRAS = 'modelorchestras.models.titanml.co';

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

interface Role {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

async function registered(withModelOrchestra = false): Promise<readonly Registered[]> {
  const definitions = await readDefinitions(withModelOrchestra);
  const { resources } = await runProgram(() => {
    new InferenceStackApi('api', { definitions, live: [] });
  });
  return resources.filter(({ type }) => type === TYPE);
}

async function role(name: string): Promise<Registered> {
  const found = (await registered()).find((each) => objectName(each) === name);
  assert.ok(found !== undefined);
  return found;
}

/** The roles of Kubernetes that a role is added to. */
function addedTo({ inputs }: Registered): readonly string[] {
  const { labels } = (inputs as unknown as Role).metadata;
  const names = Object.entries(labels).flatMap(([label, value]) => {
    const [, name] = /^rbac\.authorization\.k8s\.io\/aggregate-to-(.+)$/.exec(label) ?? [];
    return name === undefined || value !== 'true' ? [] : [name];
  });
  return names.sort();
}

function rulesOf({ inputs }: Registered): Role['rules'] {
  return (inputs as unknown as Role).rules;
}

describe('the roles for people', () => {
  it('exist for each kind that is installed, and for no other', async () => {
    const names = async (withModelOrchestra: boolean): Promise<readonly string[]> =>
      (await registered(withModelOrchestra)).map(objectName).sort();
    const roles = [`${STACKS}-edit`, `${STACKS}-view`];
    assert.deepEqual(await names(false), roles);
    assert.deepEqual(await names(true), [...roles, `${ORCHESTRAS}-edit`, `${ORCHESTRAS}-view`]);
  });

  it('let those who may view a namespace read its stacks, and what operators say of them', async () => {
    const view = await role(`${STACKS}-view`);
    assert.deepEqual(addedTo(view), ['admin', 'edit', 'view']);
    assert.deepEqual(rulesOf(view), [
      { apiGroups: ['models.titanml.co'], resources: ['inferencestacks', 'inferencestacks/status'], verbs: READ },
    ]);
  });

  it('let those who may edit a namespace, and not those who may only view it, write its stacks', async () => {
    const edit = await role(`${STACKS}-edit`);
    assert.deepEqual(addedTo(edit), ['admin', 'edit']);
    assert.deepEqual(
      rulesOf(edit).filter(({ verbs }) => verbs.some((verb) => WRITE.includes(verb))),
      [{ apiGroups: ['models.titanml.co'], resources: ['inferencestacks'], verbs: WRITE }],
    );
  });

  it('let somebody who has only the role to edit read as well', async () => {
    const [view, edit] = [await role(`${STACKS}-view`), await role(`${STACKS}-edit`)];
    assert.deepEqual(rulesOf(edit).slice(0, 1), rulesOf(view));
  });

  it('let nobody write a status, in which operators keep what they remember', async () => {
    for (const each of await registered(true)) {
      const writing = rulesOf(each).filter(({ verbs }) => verbs.some((verb) => !READ.includes(verb)));
      const parts = writing.flatMap(({ resources }) => resources).filter((resource) => resource.includes('/'));
      assert.deepEqual(parts, []);
    }
  });

  it('stay in the cluster with the stacks, and are taken over by the next installation', async () => {
    for (const { inputs, options } of await registered(true)) {
      assert.equal(options.retainOnDelete, true);
      assert.equal(options.protect ?? false, false);
      assert.match(JSON.stringify(inputs['metadata']), /"pulumi\.com\/patchForce":"true"/);
    }
  });

  it('keep the rules about rights', async () => {
    const objects = (await registered(true)).map(({ inputs }) => inputs);
    assert.equal(objects.length, 4);
    for (const rule of [noWildcardRbac, noDangerousRights, olmWritersAreKnown]) {
      assert.deepEqual(violations(rule, objects), []);
    }
  });
});

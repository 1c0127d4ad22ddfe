import type * as pulumi from '@pulumi/pulumi';
import assert from 'node:assert/strict';
import { bundleObjects } from '../../../../components/catalog/fbc.ts';
import { FleetAccess, type FleetAccessArgs } from '../../../../components/fleet/fleet-access.ts';
import type { Operator } from '../../../../components/fleet/operator.ts';
import { OperatorFleet, type OperatorFleetArgs } from '../../../../components/fleet/operator-fleet.ts';
import { planFleet, type OperatorPlan } from '../../../../components/fleet/plan.ts';
import { ROLLED_OUT } from '../../../../components/waits/rollout.ts';
import {
  objectName,
  reveal,
  runProgram,
  valueOf,
  type ProgramResult,
  type Registered,
} from '../../../support/pulumi/pulumi-program.ts';
import { sampleBundle, sampleCatalog } from '../../../support/olm/sample-catalog.ts';

const SECRET = 'kubernetes:core/v1:Secret';
const PATCH = 'kubernetes:apps/v1:DeploymentPatch';
const EXTENSION = 'kubernetes:olm.operatorframework.io/v1:ClusterExtension';
const TWO: readonly Operator[] = [
  { major: 1, channel: 'stable' },
  { major: 2, channel: 'fast', version: '2.x' },
];

type Change = Partial<Pick<OperatorFleetArgs, 'extensionApi' | 'placement' | 'awaitVersions'>> &
  Partial<Pick<FleetAccessArgs, 'installsAs'>> & { readonly pullSecret?: string };

async function fleet(
  operators: readonly Operator[],
  { installsAs = 'account', pullSecret, ...more }: Change = {},
  plan: Partial<OperatorPlan> = {},
): Promise<ProgramResult> {
  const content = sampleCatalog(['1.0.0', '1.1.0', '2.0.0']);
  return runProgram(() => {
    const planned = planFleet(operators, { name: 'catalog', content });
    const secret = pullSecret === undefined ? {} : { pullSecret };
    const withPlan = planned.map((each) => ({ ...each, plan: { ...each.plan, ...plan } }));
    const access = new FleetAccess('access', { installsAs, operators: withPlan, ...secret });
    new OperatorFleet('fleet', { access, catalogName: 'catalog', ...more });
  });
}

/** The Secrets that the pods of a version are pulled with, as its bundle says. */
function pullSecretsOf(version: string): readonly string[] {
  const csv = bundleObjects(sampleBundle(version)).find(({ kind }) => kind === 'ClusterServiceVersion') as unknown as {
    spec: { install: { spec: { deployments: readonly [{ spec: { template: { spec: PodSpec } } }] } } };
  };
  const [deployment] = csv.spec.install.spec.deployments;
  return deployment.spec.template.spec.imagePullSecrets.map(({ name }) => name);
}

interface PodSpec {
  readonly imagePullSecrets: readonly { readonly name: string }[];
}

/** The type of the one resource that another waits for. */
async function dependencyOf({ options }: Registered): Promise<string | undefined> {
  const [first] = options.dependsOn as readonly pulumi.Resource[];
  return first === undefined ? undefined : (await valueOf(first.urn)).split('::').at(2)?.split('$').at(-1);
}

function names(result: ProgramResult, type: string): readonly string[] {
  return result.resources.filter((each) => each.type === type).map(objectName);
}

describe('OperatorFleet', () => {
  it('makes one extension per major, which is ready when the wanted version is installed', async () => {
    const result = await fleet(TWO);
    assert.deepEqual(names(result, EXTENSION), ['inference-stack-operator-v1', 'inference-stack-operator-v2']);
    assert.deepEqual(result.find(EXTENSION, 'inference-stack-operator-v2').inputs, {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: {
        name: 'inference-stack-operator-v2',
        labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' },
        annotations: {
          'pulumi.com/waitFor': '["condition=Installed","jsonpath={.status.install.bundle.version}=2.0.0"]',
        },
      },
      spec: {
        namespace: 'inference-stack-operator-system',
        serviceAccount: { name: 'inference-stack-operator-v2-installer' },
        source: {
          sourceType: 'Catalog',
          catalog: {
            packageName: 'inference-stack-operator',
            channels: ['fast-v2'],
            version: '2.x',
            selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': 'catalog' } },
            upgradeConstraintPolicy: 'CatalogProvided',
          },
        },
      },
    });
  });

  it('waits for whatever is installed where OLM learns of the wanted version only later', async () => {
    const extension = (await fleet(TWO, { awaitVersions: false })).find(EXTENSION, 'inference-stack-operator-v2');
    const { annotations } = extension.inputs['metadata'] as { annotations: Record<string, string> };
    assert.equal(annotations['pulumi.com/waitFor'], '["condition=Installed"]');
  });

  it('declares a rollback where the guards look for it', async () => {
    const result = await fleet([{ major: 1, channel: 'stable', rollbackTo: '1.0.0' }]);
    const { metadata, spec } = result.find(EXTENSION, 'inference-stack-operator-v1').inputs as {
      metadata: { annotations: Record<string, string> };
      spec: { source: { catalog: { version: string; upgradeConstraintPolicy: string } } };
    };
    assert.equal(metadata.annotations['inference-stack-fleet/rollback-to'], '1.0.0');
    assert.equal(spec.source.catalog.version, '1.0.0');
    assert.equal(spec.source.catalog.upgradeConstraintPolicy, 'SelfCertified');
  });

  it('names no service account where OLM installs with rights of its own', async () => {
    const result = await fleet(TWO, { installsAs: 'cluster-admin' });
    const extension = result.find(EXTENSION, 'inference-stack-operator-v1');
    assert.equal('serviceAccount' in (extension.inputs['spec'] as object), false);
  });

  it('says which OLM an extension is written for, and leaves that open where it is not known yet', async () => {
    const annotationsOf = async (extensionApi: OperatorFleetArgs['extensionApi']): Promise<Record<string, unknown>> => {
      const result = await fleet(TWO, extensionApi === undefined ? {} : { extensionApi });
      const { metadata } = result.find(EXTENSION, 'inference-stack-operator-v1').inputs;
      return (metadata as { annotations: Record<string, unknown> }).annotations;
    };
    assert.equal((await annotationsOf('1.11.0'))['inference-stack-fleet/olm-version'], '1.11.0');
    assert.deepEqual(Object.keys(await annotationsOf(undefined)), ['pulumi.com/waitFor']);
  });

  it('waits for the extension as this run has applied it, since a report of the one before may come first', async () => {
    const { metadata } = (await fleet(TWO, { extensionApi: '1.11.0' })).find(
      EXTENSION,
      'inference-stack-operator-v2',
    ).inputs;
    const { annotations } = metadata as { annotations: Record<string, string> };
    assert.deepEqual(JSON.parse(annotations['pulumi.com/waitFor'] ?? ''), [
      'condition=Installed',
      'jsonpath={.status.install.bundle.version}=2.0.0',
      "jsonpath={.metadata.annotations['inference-stack-fleet/olm-version']}=1.11.0",
    ]);
  });

  it('places every operator once OLM has made it, and patches nothing where nobody says where', async () => {
    const tolerations = [{ key: 'dedicated', operator: 'Exists' }];
    const result = await fleet(TWO, { placement: { nodeSelector: { pool: 'system' }, tolerations, affinity: {} } });
    const patch = result.find(PATCH, 'inference-stack-operator-v2');
    const annotations = { 'pulumi.com/waitFor': JSON.stringify(ROLLED_OUT) };
    assert.deepEqual(patch.inputs, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'inference-stack-operator-v2', namespace: 'inference-stack-operator-system', annotations },
      spec: { template: { spec: { nodeSelector: { pool: 'system' }, tolerations } } },
    });
    assert.equal(await dependencyOf(patch), EXTENSION);
    assert.deepEqual(patch.options.customTimeouts, { create: '10m', update: '10m' });
    for (const placement of [{}, { nodeSelector: {}, tolerations: [], affinity: {} }]) {
      assert.deepEqual(names(await fleet(TWO, { placement }), PATCH), []);
    }
  });

  it('places the Deployments that the bundles of others state, whatever their names', async () => {
    const placement = { nodeSelector: { pool: 'system' } };
    const result = await fleet(TWO.slice(0, 1), { placement }, { deployments: ['manager', 'webhook'] });
    const placed = result.resources.filter(({ type }) => type === PATCH).map(({ inputs }) => inputs['metadata']);
    assert.deepEqual(
      placed.map((metadata) => (metadata as { name: string }).name),
      ['manager', 'webhook'],
    );
  });

  it('does not let go of the placement of an operator that goes with its extension', async () => {
    const patch = (await fleet(TWO, { placement: { nodeSelector: { pool: 'system' } } })).find(
      PATCH,
      'inference-stack-operator-v2',
    );
    const { deletedWith } = patch.options;
    assert.ok(deletedWith !== undefined);
    assert.match(await valueOf(deletedWith.urn), /:ClusterExtension::fleet-inference-stack-operator-v2$/);
  });

  it('refuses two operators of one major before anything is registered', async () => {
    const twice: readonly Operator[] = [
      { major: 1, channel: 'stable' },
      { major: 1, channel: 'fast' },
    ];
    await assert.rejects(fleet(twice), /operators\[1\]\.major: is also the major of operators\[0\]/);
  });
});

describe('FleetAccess', () => {
  it('refuses to make an installer for a bundle of which the catalog holds only a summary', async () => {
    const content = sampleCatalog(['1.0.0']);
    const bundles = content.bundles.map((bundle) => ({
      ...bundle,
      properties: bundle.properties.filter(({ type }) => type !== 'olm.bundle.object'),
    }));
    const access = (installsAs: FleetAccessArgs['installsAs']): Promise<ProgramResult> =>
      runProgram(() => {
        const operators = planFleet([{ major: 1, channel: 'stable' }], {
          name: 'catalog',
          content: { ...content, bundles },
        });
        new FleetAccess('access', { installsAs, operators });
      });
    await assert.rejects(access('account'), {
      message:
        'bundle inference-stack-operator.v1.0.0: olm.bundle.object: is missing in the catalog, so it is not known which rights ' +
        'its installer needs. Render the catalog with the objects of its bundles, or use an OLM that installs with rights of its own (1.11 or newer).',
    });
    await access('cluster-admin');
  });

  it('gives every major its installer, its rights and its Lease', async () => {
    const result = await fleet(TWO);
    const installers = ['inference-stack-operator-v1-installer', 'inference-stack-operator-v2-installer'];
    for (const type of ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']) {
      assert.deepEqual(names(result, `kubernetes:rbac.authorization.k8s.io/v1:${type}`), installers);
    }
    assert.deepEqual(names(result, 'kubernetes:core/v1:ServiceAccount'), installers);
    const leases = names(result, 'kubernetes:coordination.k8s.io/v1:Lease');
    assert.deepEqual(leases, ['inference-stack-operator-v1', 'inference-stack-operator-v2']);
  });

  it('gives no rights to anybody where OLM installs with its own, and every major its Lease all the same', async () => {
    const result = await fleet(TWO, { installsAs: 'cluster-admin' });
    const granted = result.resources.filter(({ type }) => /rbac\.authorization|ServiceAccount/.test(type));
    assert.deepEqual(granted, []);
    const leases = names(result, 'kubernetes:coordination.k8s.io/v1:Lease');
    assert.deepEqual(leases, ['inference-stack-operator-v1', 'inference-stack-operator-v2']);
  });

  it('leaves the content of a Lease to its holder', async () => {
    const lease = (await fleet(TWO)).find('kubernetes:coordination.k8s.io/v1:Lease', 'inference-stack-operator-v1');
    assert.deepEqual(lease.options.ignoreChanges, ['spec']);
    assert.equal('spec' in lease.inputs, false);
  });

  it('puts the credentials, as a secret, where the pods of every operator look for them', async () => {
    const pullSecret = '{"auths":{"registry.example":{"auth":"dXNlcjpwYXNz"}}}';
    const result = await fleet(TWO, { pullSecret });
    const [name] = names(result, SECRET);
    const secret = result.find(SECRET, name ?? '');
    assert.deepEqual(reveal(secret.inputs['stringData']), { '.dockerconfigjson': pullSecret });
    const { namespace } = secret.inputs['metadata'] as { namespace: string };
    assert.equal(namespace, 'inference-stack-operator-system');
    for (const version of ['1.1.0', '2.0.0']) assert.deepEqual(pullSecretsOf(version), [name]);
  });

  it('keeps that Secret without credentials where none are configured', async () => {
    const secret = (await fleet(TWO)).find(SECRET, 'registry-pull-secret');
    assert.deepEqual(reveal(secret.inputs['stringData']), { '.dockerconfigjson': '{"auths":{}}' });
  });
});

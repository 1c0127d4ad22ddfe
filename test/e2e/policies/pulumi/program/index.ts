import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { ClusterCatalog } from '../../../../../components/catalog/cluster-catalog.ts';
import type { Catalog } from '../../../../../components/catalog/fbc.ts';
import { CATALOG_NAME_LABEL } from '../../../../../components/catalog/served-catalog.ts';
import { describePlan } from '../../../../../components/fleet/describe-plan.ts';
import { FleetAccess } from '../../../../../components/fleet/fleet-access.ts';
import { OperatorFleet } from '../../../../../components/fleet/operator-fleet.ts';
import { FleetGuards } from '../../../../../components/guards/fleet-guards.ts';
import { planFleet } from '../../../../../components/fleet/plan.ts';
import { sampleBundle } from '../../../../support/olm/sample-catalog.ts';

/*
 * A fleet of one operator, as the components make it, and on demand what somebody might add to it by hand: a second
 * extension that follows another channel of the same major; or a patch and a stack, which show only in what comes of them.
 */

const CATALOG = 'inference-stack-catalog';
const PACKAGE = 'inference-stack-operator';

function bundle(version: string): Catalog['bundles'][number] {
  return { ...sampleBundle(version), image: `docker.io/tytn/operator-bundle@sha256:${'b'.repeat(64)}` };
}

function channel(name: string, ...versions: readonly string[]): Catalog['channels'][number] {
  return {
    schema: 'olm.channel',
    name,
    package: PACKAGE,
    entries: versions.map((version) => ({ name: `${PACKAGE}.v${version}` })),
  };
}

const content: Catalog = {
  package: { schema: 'olm.package', name: PACKAGE, defaultChannel: 'stable-v2' },
  channels: [channel('stable-v2', '2.1.0'), channel('fast-v2', '2.1.0', '2.2.0')],
  bundles: [bundle('2.1.0'), bundle('2.2.0')],
};

const fleet = [{ major: 2, channel: 'stable' as const }];
const operators = planFleet(fleet, { name: CATALOG, content });

for (const operator of operators) void pulumi.log.info(describePlan(operator));

const provider = new k8s.Provider('cluster', { kubeconfig: process.env['FLEET_TEST_KUBECONFIG'] ?? '' });
const providers = { kubernetes: provider };
const catalog = new ClusterCatalog(
  'catalog',
  {
    name: CATALOG,
    image: `docker.io/tytn/operator-catalog@sha256:${'c'.repeat(64)}`,
    source: 'build',
    pollMinutes: 15,
    priority: 0,
  },
  { providers },
);
const access = new FleetAccess('access', { installsAs: 'account', operators }, { providers });
new FleetGuards('guards', { majors: [2], action: 'deny' }, { providers });
new OperatorFleet(
  'operators',
  {
    access,
    catalogName: CATALOG,
    content,
  },
  { providers, dependsOn: [catalog] },
);

if (process.env['FLEET_TEST_DUPLICATE'] === '1') {
  new k8s.apiextensions.CustomResource(
    'by-hand',
    {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: 'by-hand' },
      spec: {
        namespace: 'default',
        serviceAccount: { name: 'default' },
        source: {
          sourceType: 'Catalog',
          catalog: {
            packageName: PACKAGE,
            channels: ['fast-v2'],
            selector: { matchLabels: { [CATALOG_NAME_LABEL]: CATALOG } },
          },
        },
      },
    },
    { provider },
  );
}

if (process.env['FLEET_TEST_INDIRECT'] === '1') {
  new k8s.rbac.v1.ClusterRoleBindingPatch(
    'patch',
    { metadata: { name: 'shortcut' }, subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: 'default' }] },
    { provider },
  );
  new k8s.apiextensions.CustomResource(
    'stack',
    {
      apiVersion: 'models.titanml.co/v1beta1',
      kind: 'InferenceStack',
      metadata: { name: 'chat', namespace: 'default', labels: { operatorVersion: 'v2' } },
      spec: { gateway: { securityContext: { privileged: true } } },
    },
    { provider },
  );
}

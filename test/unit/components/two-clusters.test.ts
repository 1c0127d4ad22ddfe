import assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as pulumi from '@pulumi/pulumi';
import { InferenceStackApi } from '../../../components/api/inference-stack-api.ts';
import { ClusterCatalog } from '../../../components/catalog/cluster-catalog.ts';
import { parseTemplate } from '../../../components/catalog/template.ts';
import { FleetAccess } from '../../../components/fleet/fleet-access.ts';
import { OperatorFleet } from '../../../components/fleet/operator-fleet.ts';
import { planFleet } from '../../../components/fleet/plan.ts';
import { FleetGuards } from '../../../components/guards/fleet-guards.ts';
import { CheckoutCatalog } from '../../../components/images/checkout-catalog.ts';
import { parseManifest } from '../../../components/olm/manifest.ts';
import { OlmV1 } from '../../../components/olm/olm-v1.ts';
import { OLM_MANIFEST } from '../../support/olm/olm-manifest.ts';
import { sampleCatalog } from '../../support/olm/sample-catalog.ts';
import { runProgram } from '../../support/pulumi/pulumi-program.ts';
import { noteUrns, type NamedResource } from '../../support/pulumi/urns.ts';

const TEMPLATE = 'Schema: olm.semver\nGenerateMajorChannels: true\nFast:\n  Bundles:\n  - Image: docker.io/a/b:1.0.0\n';

/** Everything that components can register, with every setting that adds resources. */
function serve(name: string): void {
  const spec = { group: 'models.titanml.co', scope: 'Namespaced', names: { kind: 'A', plural: 'as' }, versions: [] };
  const definition = { metadata: { name: 'as.models.titanml.co' }, spec };
  const manifest = { objects: parseManifest(OLM_MANIFEST, 'olm.yaml'), source: 'olm.yaml' };
  const cluster = { existing: undefined, controlPlane: undefined };
  const common = { certificates: 'generated', registryCa: 'PEM', pullSecret: '{}' } as const;
  new OlmV1(name, { version: '1.10.0', manifest, ...cluster, ...common });
  new InferenceStackApi(name, { definitions: [definition], live: [], protect: true });
  const writers = { users: ['admin'], groups: [], appliers: [] };
  new FleetGuards(name, { majors: [1], action: 'deny', writers });
  const catalog = { name: 'catalog', content: sampleCatalog(['1.0.0']) };
  const operators = planFleet([{ major: 1, channel: 'stable' }], catalog);
  const access = new FleetAccess(name, { installsAs: 'account', operators });
  new ClusterCatalog(name, { name: 'catalog', image: 'a/b:1', source: 'build', pollMinutes: 15, priority: 0 });
  const placement = { nodeSelector: { pool: 'system' } };
  new OperatorFleet(name, { access, catalogName: 'catalog', placement });
  const source = { revision: 'abc', created: new Date(0) };
  new CheckoutCatalog(name, {
    template: parseTemplate(TEMPLATE, 'template.yaml'),
    file: 'template.yaml',
    imageBase: 'registry.example/operator',
    controller: { context: 'controller' },
    crdVersion: 'v1beta1',
    source,
    catalogSource: source,
    settings: { builder: 'docker-build', platforms: [] },
    workDirectory: '/nonexistent',
  });
}

async function registered(...names: readonly string[]): Promise<readonly NamedResource[]> {
  let noted: readonly NamedResource[] = [];
  await runProgram(
    () => {
      noted = noteUrns();
      names.forEach(serve);
    },
    undefined,
    { preview: true },
  );
  return noted;
}

interface Registering {
  registerOutputs(outputs?: object): void;
}

describe('a component', () => {
  it('registers every output that it has, but for whole bundles and catalogs, which would fill the state', async () => {
    const prototype = pulumi.ComponentResource.prototype as unknown as Registering;
    const register = mock.method(prototype, 'registerOutputs');
    await registered('east').finally(() => {
      register.mock.restore();
    });
    const missing = register.mock.calls.flatMap(({ this: component, arguments: [outputs] }) =>
      // Pulumi registers nothing for a component that has registered something before.
      Object.entries(outputs === undefined ? {} : (component as object))
        .filter(([key, value]) => key !== 'urn' && pulumi.Output.isInstance(value) && !(key in (outputs ?? {})))
        .map(([key]) => `${(component as object).constructor.name}.${key}`),
    );
    assert.deepEqual(
      missing.filter((each) => !each.startsWith('Stack.')),
      ['BundleImage.bundle', 'CheckoutCatalog.catalog'],
    );
  });
});

describe('two components of one class', () => {
  it('share no URN, so that one program can serve two clusters', async () => {
    const urns = (await registered('east', 'west')).map(({ urn }) => urn);
    assert.ok(urns.length > 40, `${urns.length} resources`);
    assert.equal(new Set(urns).size, urns.length);
  });

  it('have children that are named after them', async () => {
    const strangers = (await registered('east')).filter(({ urn }) => !/::east(-|$)/.test(urn));
    assert.deepEqual(strangers, []);
  });

  it('claim no resource of earlier names, which both of them would', async () => {
    const names = (await registered('east', 'west')).flatMap(({ aliases }) => aliases);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });
});

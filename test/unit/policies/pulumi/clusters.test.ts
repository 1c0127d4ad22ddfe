import assert from 'node:assert/strict';
import type { PolicyResource } from '@pulumi/policy';
import { policiesOf, type LoadFacts } from '../../../../policies/pulumi/policies.ts';
import { ObjectReader } from '../../../../policies/knowledge/objects/object-reader.ts';
import { planFacts } from '../../../../policies/pulumi/planned.ts';
import { oneOperatorPerMajor } from '../../../../policies/rules/one-operator-per-major.ts';
import { catalog, extension } from '../../../support/policies/objects.ts';
import { providerOf, resource, run } from '../../../support/policies/program.ts';
import { withChanges } from '../../../support/policies/support.ts';

const NAME = oneOperatorPerMajor.name;

function second(): object {
  return withChanges(extension(2, 'fast-v2'), [['metadata', 'name'], 'second']);
}

function inCluster(kubeconfig: string | undefined, ...objects: readonly object[]): PolicyResource[] {
  return objects.map((object) => resource(object, { provider: providerOf(kubeconfig) }));
}

async function found(name: string, load: LoadFacts, resources: readonly PolicyResource[]): Promise<string[]> {
  const reported = await run(
    policiesOf([oneOperatorPerMajor], { stage: 'prod', load, docs: 'docs.md' }),
    name,
    resources,
  );
  return reported.map(([message]) => message);
}

const withoutFacts: LoadFacts = () => Promise.resolve({ catalogs: [] });

describe('a program that talks to two clusters', () => {
  it('may have an operator of one major in each', async () => {
    const resources = [...inCluster('a', extension()), ...inCluster('b', extension())];
    assert.deepEqual(await found(NAME, withoutFacts, resources), []);
  });

  it('may not have two in one, by whichever provider', async () => {
    const resources = [...inCluster('a'), ...inCluster('b', extension()), ...inCluster('b', second())];
    assert.equal((await found(NAME, withoutFacts, resources)).length, 1);
  });

  it('is judged by what is in each of them', async () => {
    const load: LoadFacts = (resources) => {
      const kubeconfig: unknown = resources.find(({ provider }) => provider !== undefined)?.provider?.props[
        'kubeconfig'
      ];
      const extensions = kubeconfig === 'b' ? [new ObjectReader(second())] : [];
      return Promise.resolve({ catalogs: [], cluster: { extensions, definitions: [], catalogs: [] } });
    };
    const resources = [...inCluster('a', extension(1)), ...inCluster('b', extension())];
    assert.equal((await found(NAME, load, resources)).length, 1);
  });

  it('is judged by what the catalog of each of them offers', async () => {
    const load: LoadFacts = (resources) => Promise.resolve(planFacts(resources, undefined));
    const fleet = (version: string): PolicyResource => {
      const bundle = { name: `v${version}`, properties: [{ type: 'olm.package', value: { version } }] };
      const channels = ['stable-v2', 'fast-v2'].map((name) => ({ name, entries: [{ name: bundle.name }] }));
      const content = { package: { name: 'inference-stack-operator' }, channels, bundles: [bundle] };
      return resource(
        { catalogName: 'inference-stack-catalog', content, metadata: { name: version } },
        { type: 'inference-stack-fleet:fleet:OperatorFleet' },
      );
    };
    const inFleet = (parent: PolicyResource, ...resources: readonly PolicyResource[]): PolicyResource[] =>
      resources.map((each) => ({ ...each, parent }));
    const [older, newer] = [fleet('2.0.0'), fleet('2.1.0')];
    const resources = [
      older,
      newer,
      ...inFleet(older, ...inCluster('a', catalog(), extension())),
      ...inFleet(newer, ...inCluster('b', catalog(), extension(), second())),
    ];
    const [collision] = await found(NAME, load, resources);
    assert.match(collision ?? '', /\(resolves to 2\.1\.0 .*\(resolves to 2\.1\.0 /);
  });

  it('is told of each that could not be read', async () => {
    const load: LoadFacts = (resources) =>
      Promise.resolve({ catalogs: [], noCluster: `${resources[0]?.provider?.urn ?? ''} does not answer.` });
    const resources = [...inCluster('a', extension()), ...inCluster('b', extension()), ...inCluster('b', extension(1))];
    assert.deepEqual(await found('known-in-preview', load, resources), [
      'No cluster was read: urn:a does not answer.',
      'No cluster was read: urn:b does not answer.',
    ]);
  });

  it('tells clusters apart by their providers, where a preview does not know more', async () => {
    const unknown = (urn: string): PolicyResource => ({
      ...resource(extension()),
      provider: { ...providerOf(undefined), urn, props: unreadable() },
    });
    assert.deepEqual(await found(NAME, withoutFacts, [unknown('urn:a'), unknown('urn:b')]), []);
  });
});

/** Properties of a provider for a cluster that is still to be made. */
function unreadable(): Record<string, unknown> {
  return new Proxy(
    { kubeconfig: '' },
    {
      get: () => {
        throw new Error(".kubeconfig can't be known during preview");
      },
    },
  );
}

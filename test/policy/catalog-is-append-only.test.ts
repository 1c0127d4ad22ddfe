import assert from 'node:assert/strict';
import type { PackageContent } from '../../components/catalog/served-catalog.ts';
import type { Facts } from '../../policies/core/facts.ts';
import { catalogIsAppendOnly } from '../../policies/rules/catalog-is-append-only.ts';
import { catalog } from './objects.ts';
import { unknowns, violations } from './support.ts';

function content(versions: readonly string[], changes: Partial<PackageContent> = {}): PackageContent {
  const bundles = versions.map((version) => ({
    name: `inference-stack-operator.v${version}`,
    image: `docker.io/tytn/operator-bundle:${version}`,
    properties: [],
  }));
  const entries = bundles.map(({ name }) => ({ name }));
  return {
    package: { name: 'inference-stack-operator' },
    bundles,
    channels: [{ name: 'stable-v1', entries }],
    ...changes,
  };
}

function facts(planned: PackageContent, served: PackageContent, released?: PackageContent): Facts {
  const one = (packages: readonly PackageContent[]): Facts['catalogs'] => [
    { name: 'inference-stack-catalog', packages, isKnown: true },
  ];
  return {
    catalogs: one([planned]),
    cluster: { catalogs: one([served]), definitions: [], extensions: [] },
    ...(released === undefined ? {} : { released: [released] }),
  };
}

const NAME = 'ClusterCatalog inference-stack-catalog';

describe('catalog-is-append-only', () => {
  const before = content(['1.0.0', '1.1.0']);

  it('admits a catalog that only grows', () => {
    assert.deepEqual(
      violations(catalogIsAppendOnly, [catalog()], facts(content(['1.0.0', '1.1.0', '1.2.0']), before, before)),
      [],
    );
  });

  it('refuses to lose a version that the cluster serves', () => {
    assert.deepEqual(violations(catalogIsAppendOnly, [catalog()], facts(content(['1.0.0']), before)), [
      `${NAME} should keep inference-stack-operator.v1.1.0: the cluster serves it.`,
    ]);
  });

  it('refuses to lose a version that the lock has', () => {
    assert.deepEqual(
      violations(catalogIsAppendOnly, [catalog()], facts(content(['1.0.0']), content(['1.0.0']), before)),
      [`${NAME} should keep inference-stack-operator.v1.1.0: the lock has it.`],
    );
  });

  it('refuses another image for a released version', () => {
    const bundles = before.bundles.map((bundle) => ({ ...bundle, image: `${bundle.image}-again` }));
    assert.deepEqual(violations(catalogIsAppendOnly, [catalog()], facts({ ...before, bundles }, content(['1.0.0']))), [
      `${NAME} should keep inference-stack-operator.v1.0.0 at image docker.io/tytn/operator-bundle:1.0.0, ` +
        'not docker.io/tytn/operator-bundle:1.0.0-again: the cluster serves it.',
    ]);
  });

  it('refuses to take a version out of its stable channel', () => {
    const planned = content(['1.0.0'], {
      channels: [{ name: 'fast-v1', entries: [{ name: 'inference-stack-operator.v1.0.0' }] }],
    });
    assert.deepEqual(violations(catalogIsAppendOnly, [catalog()], facts(planned, content(['1.0.0']))), [
      `${NAME} should keep inference-stack-operator.v1.0.0 in channel stable-v1: the cluster serves it.`,
    ]);
  });

  it('says when there is no cluster to compare with', () => {
    assert.deepEqual(unknowns(catalogIsAppendOnly, [catalog()]), [
      `${NAME}: there is no cluster to compare with, so only the lock is.`,
    ]);
  });
});

import assert from 'node:assert/strict';
import { CATALOG_SOURCE_LABEL } from '../../../../components/catalog/catalog-source.ts';
import type { CatalogSource } from '../../../../components/catalog/catalog-source.ts';
import type { PackageContent } from '../../../../components/catalog/served-catalog.ts';
import type { Facts, KnownCatalog } from '../../../../policies/knowledge/facts.ts';
import { UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { catalogIsAppendOnly } from '../../../../policies/rules/catalog-is-append-only.ts';
import { catalog } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';

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

const NOTHING = content([]);

/** A catalog that the program renders, beside what was released and what the cluster serves. */
function facts(
  planned: PackageContent,
  { released = NOTHING, served = NOTHING }: { released?: PackageContent; served?: PackageContent },
  changes: Partial<KnownCatalog> = {},
): Facts {
  const name = 'inference-stack-catalog';
  return {
    catalogs: [{ name, packages: [planned], isKnown: true, isPlanned: true, ...changes }],
    cluster: { catalogs: [{ name, packages: [served], isKnown: true }], definitions: [], extensions: [] },
    released: [released],
  };
}

function from(source: CatalogSource): Partial<KnownCatalog> {
  return { labels: { [CATALOG_SOURCE_LABEL]: source } };
}

function refused(...args: Parameters<typeof facts>): string[] {
  return violations(catalogIsAppendOnly, [catalog()], facts(...args));
}

const NAME = 'ClusterCatalog inference-stack-catalog';

describe('catalog-is-append-only', () => {
  const before = content(['1.0.0', '1.1.0']);
  const one = content(['1.0.0']);
  const rebuilt = content(['1.0.0'], {
    bundles: one.bundles.map((bundle) => ({ ...bundle, image: `${bundle.image}-again` })),
  });
  const unstable = content(['1.0.0'], {
    channels: [{ name: 'fast-v1', entries: [{ name: 'inference-stack-operator.v1.0.0' }] }],
  });

  it('admits a catalog that only grows', () => {
    assert.deepEqual(refused(content(['1.0.0', '1.1.0', '1.2.0']), { released: before, served: before }), []);
  });

  for (const [baseline, why] of [
    ['served', 'the cluster serves it'],
    ['released', 'the lock has it'],
  ] as const) {
    it(`refuses to lose a version when ${why}`, () => {
      assert.deepEqual(refused(one, { [baseline]: before }), [
        `${NAME} should keep inference-stack-operator.v1.1.0: ${why}.`,
      ]);
    });

    it(`refuses another image for a version when ${why}`, () => {
      assert.deepEqual(refused(rebuilt, { [baseline]: one }), [
        `${NAME} should keep inference-stack-operator.v1.0.0 at image docker.io/tytn/operator-bundle:1.0.0, ` +
          `not docker.io/tytn/operator-bundle:1.0.0-again: ${why}.`,
      ]);
    });

    it(`refuses to take a version out of its stable channel when ${why}`, () => {
      assert.deepEqual(refused(unstable, { [baseline]: one }), [
        `${NAME} should keep inference-stack-operator.v1.0.0 in channel stable-v1: ${why}.`,
      ]);
    });
  }

  it('does not hold a development catalog to anything', () => {
    assert.deepEqual(refused(rebuilt, { released: before, served: before }, from('checkout')), []);
  });

  it('lets an image that exists be older than the lock, but not another', () => {
    assert.deepEqual(refused(unstable, { released: before }, from('image')), []);
    assert.deepEqual(refused(rebuilt, { released: before }, from('image')), [
      `${NAME} should keep inference-stack-operator.v1.0.0 at image docker.io/tytn/operator-bundle:1.0.0, ` +
        'not docker.io/tytn/operator-bundle:1.0.0-again: the lock has it.',
    ]);
  });

  it('does not let an image that exists take back what the cluster serves', () => {
    assert.deepEqual(refused(one, { served: before }, from('image')), [
      `${NAME} should keep inference-stack-operator.v1.1.0: the cluster serves it.`,
    ]);
  });

  it('lets a catalog of a cluster be older than the lock', () => {
    assert.deepEqual(refused(one, { released: before, served: one }, { isPlanned: false, ...from('build') }), []);
  });

  it('says that it does not know a catalog whose name is not known', () => {
    const unnamed = withChanges(catalog(), [['metadata', 'name'], UNKNOWN]);
    assert.deepEqual(unknowns(catalogIsAppendOnly, [unnamed], facts(one, {})), [
      'ClusterCatalog (unnamed): its content is not known, so nothing can be missed in it.',
    ]);
  });

  it('says what it has nothing to compare with', () => {
    assert.deepEqual(unknowns(catalogIsAppendOnly, [catalog()]), [
      `${NAME}: its content is not known, so nothing can be missed in it.`,
      `${NAME}: there is no lock of released versions to compare with.`,
      `${NAME}: there is no cluster to compare with.`,
    ]);
    assert.deepEqual(unknowns(catalogIsAppendOnly, [catalog()], facts(one, {})), []);
  });

  it('says when the cluster serves something that cannot be read', () => {
    const { cluster, ...rest } = facts(one, {});
    const live = { name: 'inference-stack-catalog', packages: [], isKnown: false, unread: 'GET /x: 503' };
    assert.deepEqual(
      unknowns(catalogIsAppendOnly, [catalog()], {
        ...rest,
        cluster: { definitions: [], extensions: [], ...cluster, catalogs: [live] },
      }),
      [`${NAME}: what the cluster serves cannot be read, so it is not compared with it: GET /x: 503.`],
    );
  });
});

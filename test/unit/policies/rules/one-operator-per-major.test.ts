import assert from 'node:assert/strict';
import type { CatalogFilter } from '../../../../components/catalog/served-catalog.ts';
import type { Facts, KnownCatalog } from '../../../../policies/knowledge/facts.ts';
import { ObjectReader, UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { oneOperatorPerMajor } from '../../../../policies/rules/one-operator-per-major.ts';
import { recordedResolutions } from '../../components/catalog/recorded-resolutions.ts';
import type { RecordedResolution } from '../../components/catalog/recorded-resolutions.ts';
import { extension } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';

/** The questions of the recording that concern a new extension of the fleet's package. */
async function freshCases(): Promise<RecordedResolution[]> {
  const cases = await recordedResolutions();
  return cases.filter(
    ({ filter, installed }) => installed === undefined && filter.packageName === 'inference-stack-operator',
  );
}

function known(catalogs: RecordedResolution['catalogs']): KnownCatalog[] {
  return catalogs.map((catalog) => ({ ...catalog, isKnown: true }));
}

async function productionFacts(): Promise<Facts> {
  const first = (await freshCases()).find(({ catalogs }) => catalogs.length === 1 && catalogs[0]?.name === 'prod');
  assert.ok(first);
  return { catalogs: known(first.catalogs) };
}

function named(name: string, filter: CatalogFilter): object {
  return withChanges(extension(), [['metadata', 'name'], name], [['spec', 'source', 'catalog'], filter]);
}

/** The major that OLM itself resolved, or nothing. */
function recordedMajor({ recorded }: RecordedResolution): number | undefined {
  return 'version' in recorded ? Number(recorded.version.split('.')[0]) : undefined;
}

describe('one-operator-per-major', () => {
  it('refuses exactly those pairs of extensions for which OLM itself resolves one major', async () => {
    const cases = (await freshCases()).filter((one) => recordedMajor(one) !== undefined);
    const groups = Map.groupBy(cases, ({ catalogs }) =>
      JSON.stringify(catalogs.map(({ packages, ...rest }) => [rest, packages.length])),
    );
    let refused = 0;
    let admitted = 0;
    for (const [catalogs, group] of groups) {
      const [first] = group;
      const facts: Facts = { catalogs: known(first?.catalogs ?? []) };
      for (const [index, a] of group.entries()) {
        for (const b of group.slice(index + 1)) {
          const collides = recordedMajor(a) === recordedMajor(b);
          const found = violations(oneOperatorPerMajor, [named('a', a.filter), named('b', b.filter)], facts);
          assert.equal(found.length, collides ? 1 : 0, `${catalogs}: ${JSON.stringify([a.filter, b.filter])}`);
          if (collides) refused += 1;
          else admitted += 1;
        }
      }
    }
    assert.ok(refused > 1000 && admitted > 1000, `${refused} refused and ${admitted} admitted`);
  });

  it('names both extensions and the versions that collide', async () => {
    const objects = [extension(2), withChanges(extension(2, 'fast-v2'), [['metadata', 'name'], 'second'])].map(
      (object) => withChanges(object, [['spec', 'source', 'catalog', 'selector'], undefined]),
    );
    assert.deepEqual(violations(oneOperatorPerMajor, objects, await productionFacts()), [
      'ClusterExtension inference-stack-operator-v2 (resolves to 2.1.0 of catalog prod) and ClusterExtension second ' +
        '(resolves to 2.2.0 of catalog prod) both take major 2 of inference-stack-operator.',
    ]);
  });

  it('admits one extension per major, and other packages', async () => {
    const filter = { packageName: 'inference-stack-operator', selector: {} };
    const objects = [
      named('v1', { ...filter, channels: ['stable-v1'] }),
      named('v2', { ...filter, channels: ['stable-v2'] }),
      named('other', { packageName: 'other-operator', channels: ['stable-v2'] }),
      named('another', { packageName: 'other-operator', channels: ['stable-v2'] }),
    ];
    assert.deepEqual(violations(oneOperatorPerMajor, objects, await productionFacts()), []);
  });

  it('sees extensions that are in the cluster already, whoever put them there', async () => {
    const live = named('by-hand', { packageName: 'inference-stack-operator', version: '>=2 <3' });
    const { catalogs } = await productionFacts();
    const facts: Facts = { catalogs, cluster: { catalogs: [], definitions: [], extensions: [new ObjectReader(live)] } };
    const declared = named('v2', { packageName: 'inference-stack-operator', channels: ['stable-v2'] });
    assert.deepEqual(violations(oneOperatorPerMajor, [declared], facts), [
      'ClusterExtension v2 (resolves to 2.1.0 of catalog prod) and ClusterExtension by-hand ' +
        '(resolves to 2.2.0 of catalog prod) both take major 2 of inference-stack-operator.',
    ]);
    assert.deepEqual(violations(oneOperatorPerMajor, [live], facts), [], 'the same object is not its own rival');
  });

  it('counts what is installed for an extension that resolves to nothing now', async () => {
    const status = { install: { bundle: { name: 'inference-stack-operator.v2.0.0', version: '2.0.0' } } };
    const filter = { packageName: 'inference-stack-operator', channels: ['stable-v9'] };
    const live = withChanges(named('stuck', filter), [['status'], status]);
    const { catalogs } = await productionFacts();
    const facts: Facts = { catalogs, cluster: { catalogs: [], definitions: [], extensions: [new ObjectReader(live)] } };
    const declared = named('v2', { packageName: 'inference-stack-operator', channels: ['stable-v2'] });
    assert.deepEqual(violations(oneOperatorPerMajor, [declared], facts), [
      'ClusterExtension v2 (resolves to 2.1.0 of catalog prod) and ClusterExtension stuck ' +
        '(stays at 2.0.0, which is installed) both take major 2 of inference-stack-operator.',
    ]);
  });

  describe('without knowing what the catalog contains', () => {
    const facts: Facts = { catalogs: [{ name: 'new', packages: [], isKnown: false }] };
    const ask = (...spellings: readonly Partial<CatalogFilter>[]): string[] =>
      violations(
        oneOperatorPerMajor,
        spellings.map((filter, index) => named(`e${index}`, { packageName: 'inference-stack-operator', ...filter })),
        facts,
      );
    const collisions: Record<string, readonly [Partial<CatalogFilter>, Partial<CatalogFilter>, number]> = {
      'stable-v2 and fast-v2': [{ channels: ['stable-v2'] }, { channels: ['fast-v2'] }, 2],
      'stable-v2 and >=2': [{ channels: ['stable-v2'] }, { version: '>=2' }, 2],
      '>=2 and >=3': [{ version: '>=2' }, { version: '>=3' }, 3],
      '^1 || ^2 and stable-v1': [{ version: '^1 || ^2' }, { channels: ['stable-v1'] }, 1],
      'no channel and stable-v7': [{}, { channels: ['stable-v7'] }, 7],
      'no channel twice': [{}, {}, 0],
      '0.x and stable-v0': [{ version: '0.x' }, { channels: ['stable-v0'] }, 0],
      'a channel of no major and stable-v2': [{ channels: ['alpha'] }, { channels: ['stable-v2'] }, 2],
    };
    for (const [what, [a, b, major]] of Object.entries(collisions)) {
      it(`refuses ${what}`, () => {
        const [message = '', ...more] = ask(a, b);
        assert.deepEqual(more, []);
        assert.ok(message.endsWith(`both take major ${major} of inference-stack-operator.`), message);
      });
    }

    it('says why it thinks so', () => {
      assert.deepEqual(ask({ channels: ['stable-v2'] }, { channels: ['fast-v2'], version: '2.x' }), [
        'ClusterExtension e0 (asks for stable-v2, while the content of catalog new is not known) and ClusterExtension e1 ' +
          '(asks for fast-v2, 2.x, while the content of catalog new is not known) both take major 2 of inference-stack-operator.',
      ]);
    });

    const fine: Record<string, readonly [Partial<CatalogFilter>, Partial<CatalogFilter>]> = {
      'stable-v1 beside stable-v2': [{ channels: ['stable-v1'] }, { channels: ['stable-v2'] }],
      '1.x beside >=2': [{ version: '1.x' }, { version: '>=2' }],
      'ranges that keep channels apart': [
        { channels: ['stable-v1', 'stable-v2'], version: '1.x' },
        { channels: ['stable-v1', 'stable-v2'], version: '2.x' },
      ],
    };
    for (const [what, [a, b]] of Object.entries(fine)) it(`admits ${what}`, () => assert.deepEqual(ask(a, b), []));
  });

  it('says that it cannot judge an extension whose channel is not known', () => {
    const object = withChanges(extension(), [['spec', 'source', 'catalog', 'channels'], UNKNOWN]);
    assert.deepEqual(unknowns(oneOperatorPerMajor, [object]), [
      'ClusterExtension inference-stack-operator-v2: spec.source.catalog.channels is known only after the update.',
    ]);
  });
});

import assert from 'node:assert/strict';
import type { Facts, KnownCatalog } from '../../../../policies/knowledge/facts.ts';
import { ObjectReader, UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import type { Rule } from '../../../../policies/knowledge/rule.ts';
import { subjectsOf } from '../../../../policies/pulumi/resources.ts';
import { patched } from '../../../../policies/pulumi/patch.ts';
import { planFacts } from '../../../../policies/pulumi/planned.ts';
import { extensionIsBounded } from '../../../../policies/rules/extension-is-bounded.ts';
import { oneOperatorPerMajor } from '../../../../policies/rules/one-operator-per-major.ts';
import { stableChannelsOnly } from '../../../../policies/rules/stable-channels-only.ts';
import { extension } from '../../../support/policies/objects.ts';
import { patch } from '../../../support/policies/program.ts';
import { messages, NO_FACTS, subject, withChanges } from '../../../support/policies/support.ts';

const OLM = 'olm.operatorframework.io/v1';

/** A cluster with the extensions of two majors, whose catalog nobody could read. */
const CLUSTER: Facts = { catalogs: [], cluster: { extensions: readers(1, 2), definitions: [], catalogs: [] } };

function readers(...majors: readonly number[]): ObjectReader[] {
  return majors.map((major) => new ObjectReader(extension(major)));
}

/** What a rule finds about a patch of the extension of major 1, as Pulumi hands it over. */
function found(rule: Rule, fields: object, facts = CLUSTER, kind: 'violation' | 'unknown' = 'violation'): string[] {
  const metadata = { name: 'inference-stack-operator-v1' };
  const patches = subjectsOf([patch({ apiVersion: OLM, kind: 'ClusterExtension', metadata, ...fields })]);
  const complete = patches.map((each) => patched(each, facts));
  return messages(rule, [...complete, subject(extension(2))], facts, {}, kind);
}

function source(catalog: object): object {
  return { spec: { source: { catalog } } };
}

describe('a patch of an extension', () => {
  it('that changes nothing of what rules look at is admitted', () => {
    for (const rule of [extensionIsBounded, oneOperatorPerMajor, stableChannelsOnly]) {
      assert.deepEqual(found(rule, {}), [], rule.name);
    }
  });

  it('is judged with the package that only the cluster knows', () => {
    assert.equal(found(extensionIsBounded, source({ version: '>=1' })).length, 1);
    assert.equal(found(extensionIsBounded, source({ upgradeConstraintPolicy: 'SelfCertified' })).length, 1);
    assert.equal(found(stableChannelsOnly, source({ channels: ['fast-v1'] })).length, 1);
    assert.equal(found(oneOperatorPerMajor, source({ channels: ['stable-v2'] })).length, 1);
  });

  it('does not hide what is in the cluster already', () => {
    const rival = withChanges(extension(2), [['metadata', 'name'], 'inference-stack-operator-v1']);
    const extensions = [new ObjectReader(rival), ...readers(2)];
    const facts: Facts = { catalogs: [], cluster: { extensions, definitions: [], catalogs: [] } };
    assert.equal(found(oneOperatorPerMajor, {}, facts).length, 1);
  });

  it('stays unknown in the fields that are, and as a whole where the cluster is', () => {
    const channels = source({ channels: UNKNOWN });
    assert.deepEqual(found(oneOperatorPerMajor, channels, CLUSTER, 'unknown'), [
      'ClusterExtension inference-stack-operator-v1: spec.source.catalog.channels is known only after the update.',
    ]);
    assert.deepEqual(found(extensionIsBounded, channels, NO_FACTS, 'unknown'), [
      'ClusterExtension inference-stack-operator-v1: the extension that it patches is not known, so the patch is not judged.',
    ]);
  });
});

describe('a patch of a catalog', () => {
  const live: KnownCatalog = { name: 'c', labels: { a: '1' }, priority: 7, image: 'old', packages: [], isKnown: true };
  const planned = (fields: object): readonly KnownCatalog[] => {
    const props = { apiVersion: OLM, kind: 'ClusterCatalog', metadata: { name: 'c', labels: { b: '2' } }, ...fields };
    const cluster = { extensions: [], definitions: [], catalogs: [live] };
    return planFacts([{ type: `kubernetes:${OLM}:ClusterCatalogPatch`, props }], cluster).catalogs;
  };
  const labels = { a: '1', b: '2' };

  it('that leaves the image leaves the content', () => {
    assert.deepEqual(planned({}), [{ ...live, labels }]);
    assert.deepEqual(planned({ spec: { source: { image: { ref: 'old' } } } }), [{ ...live, labels }]);
  });

  it('that changes the image makes the content unknown', () => {
    const other = { ...live, labels, isKnown: false };
    assert.deepEqual(planned({ spec: { source: { image: { ref: 'new' } } } }), [{ ...other, image: 'new' }]);
    const [unknown] = planned({ spec: { source: { image: { ref: UNKNOWN } } } });
    assert.deepEqual([unknown?.isKnown, unknown?.image], [false, undefined]);
  });
});

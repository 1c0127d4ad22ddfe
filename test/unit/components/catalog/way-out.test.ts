import assert from 'node:assert/strict';
import { bundleEntry } from '../../../../components/catalog/edit-deprecations.ts';
import type { Catalog } from '../../../../components/catalog/fbc.ts';
import { renderReleased } from '../../../../components/catalog/release.ts';
import type { Stream } from '../../../../components/catalog/template.ts';
import { misled, wayOut } from '../../../../components/catalog/way-out.ts';
import { releasedState } from '../../../support/olm/released-state.ts';

const ALL: readonly Stream[] = ['Candidate', 'Fast', 'Stable'];

function catalog(versions: Readonly<Record<string, readonly Stream[]>>, ...withdrawn: readonly string[]): Catalog {
  const entries = withdrawn.map((version) => bundleEntry({ bundle: `tiny.v${version}`, message: 'no' }));
  return renderReleased(releasedState(versions), { schema: 'olm.deprecations', package: 'tiny', entries });
}

const stable = (...versions: readonly string[]): Record<string, readonly Stream[]> =>
  Object.fromEntries(versions.map((version) => [version, ['Stable']]));

describe('the way out of a withdrawn version', () => {
  it('is the version that OLM upgrades it to', () => {
    assert.equal(wayOut(catalog(stable('1.0.0', '1.1.0', '1.2.0'), '1.0.0'), 'tiny.v1.0.0'), 'upgrade to 1.2.0');
  });

  it('passes over versions that are withdrawn, too', () => {
    const content = catalog(stable('1.0.0', '1.1.0', '1.2.0'), '1.0.0', '1.2.0');
    assert.equal(wayOut(content, 'tiny.v1.0.0'), 'upgrade to 1.1.0');
    assert.equal(wayOut(content, 'tiny.v1.2.0'), 'go back to 1.1.0 with rollbackTo');
  });

  it('leads back from the newest version, to the newest that is left', () => {
    const content = catalog(stable('1.0.0', '1.1.0', '1.2.0'), '1.2.0', '1.1.0');
    assert.equal(wayOut(content, 'tiny.v1.2.0'), 'go back to 1.0.0 with rollbackTo');
  });

  it('names no newer version that no upgrade leads to', () => {
    // 1.1.1 is the newest patch of its minor, so nothing replaces anything by 1.1.0.
    const content = catalog(stable('1.0.0', '1.0.1', '1.1.0', '1.1.1'), '1.0.1', '1.1.1');
    assert.equal(wayOut(content, 'tiny.v1.0.1'), 'go back to 1.0.0 with rollbackTo');
    const first = catalog(stable('1.0.1', '1.1.0', '1.1.1'), '1.0.1', '1.1.1');
    assert.equal(wayOut(first, 'tiny.v1.0.1'), 'go to 1.1.0 with rollbackTo');
  });

  it('leads to no other major', () => {
    assert.equal(wayOut(catalog(stable('1.0.0', '2.0.0'), '1.0.0'), 'tiny.v1.0.0'), 'no other version in stable-v1');
  });

  it('is told for each channel where they differ', () => {
    const content = catalog({ '1.0.0': ALL, '1.1.0': ALL, '1.2.0': ['Candidate', 'Fast'] }, '1.1.0');
    assert.equal(
      wayOut(content, 'tiny.v1.1.0'),
      'upgrade to 1.2.0 (candidate-v1, fast-v1); go back to 1.0.0 with rollbackTo (stable-v1)',
    );
  });

  it('names other channels of the major where its own have nothing', () => {
    const content = catalog({ '1.0.0': ['Stable'], '1.1.0': ['Fast'], '2.0.0': ALL }, '1.0.0');
    assert.equal(wayOut(content, 'tiny.v1.0.0'), 'no other version in stable-v1, while fast-v1 has 1.1.0');
  });
});

describe('clusters that a withdrawal would mislead', () => {
  const versions = stable('1.0.0', '1.1.0', '1.2.0');

  it('are none while they can stay where they are, or go to a version that is not withdrawn', () => {
    assert.deepEqual(misled(catalog(versions), catalog(versions, '1.2.0')), []);
    assert.deepEqual(misled(catalog(versions, '1.2.0'), catalog(versions, '1.2.0', '1.0.0')), []);
  });

  it('are those on a version from which all newer ones are withdrawn', () => {
    const to = '1.2.0';
    assert.deepEqual(misled(catalog(versions, to), catalog(versions, to, '1.1.0')), [
      { channel: 'stable-v1', from: '1.1.0', to },
    ]);
  });

  it('are not those that OLM is moving there already', () => {
    assert.deepEqual(misled(catalog(versions, '1.0.0', '1.1.0'), catalog(versions, '1.0.0', '1.1.0', '1.2.0')), []);
  });
});

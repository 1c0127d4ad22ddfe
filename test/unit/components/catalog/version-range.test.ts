import assert from 'node:assert/strict';
import { inRange, parseVersionRange } from '../../../../components/catalog/version-range.ts';
import { checkRecording } from './recorded-ranges.ts';

describe('a version range', () => {
  it('is read as Masterminds/semver reads it', async () => {
    const checked = await checkRecording('version-range.recorded.json', (text) => {
      const range = parseVersionRange(text);
      return range === undefined ? undefined : (version) => inRange(version, range);
    });
    assert.ok(checked > 600, `only ${checked} ranges were recorded`);
  });
});

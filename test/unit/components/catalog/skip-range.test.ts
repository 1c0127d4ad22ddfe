import assert from 'node:assert/strict';
import { inSkipRange, parseSkipRange } from '../../../../components/catalog/skip-range.ts';
import { checkRecording } from './recorded-ranges.ts';

describe('a skip range', () => {
  it('is read as blang/semver reads it', async () => {
    const checked = await checkRecording('skip-range.recorded.json', (text) => {
      const range = parseSkipRange(text);
      return range === undefined ? undefined : (version) => inSkipRange(version, range);
    });
    assert.ok(checked > 150, `only ${checked} ranges were recorded`);
  });
});

import assert from 'node:assert/strict';
import { loadSettings } from '../../../../infra/config/load.ts';
import { warnOfExpiry } from '../../../../infra/olm/expiry.ts';

const NOW = new Date('2028-12-30T00:00:00Z');
const LIVE = { certificatesExpire: new Date('2029-01-01T00:00:00Z') };

function said(olm: object, live: { certificatesExpire?: Date }): readonly string[] {
  const settings = loadSettings('test', {
    'inference-stack-fleet:kubeContext': 'any',
    'inference-stack-fleet:operators': '[]',
    'inference-stack-fleet:olm': JSON.stringify(olm),
  });
  const warnings: string[] = [];
  warnOfExpiry(settings, live, NOW, (message) => warnings.push(message));
  return warnings;
}

describe('a run near the end of the certificates', () => {
  it('warns, and says that it renews them', () => {
    assert.deepEqual(said({}, LIVE), ['OLM’s certificates expire in 2 days: run `pulumi up`, which renews them']);
  });

  it('says nothing where there is time, or nothing is known', () => {
    assert.deepEqual(said({}, { certificatesExpire: new Date('2031-01-01T00:00:00Z') }), []);
    assert.deepEqual(said({}, {}), []);
  });

  it('leaves the certificates of others to them', () => {
    assert.deepEqual(said({ certificates: 'cert-manager' }, LIVE), []);
    assert.deepEqual(said({ mode: 'existing' }, LIVE), []);
  });
});

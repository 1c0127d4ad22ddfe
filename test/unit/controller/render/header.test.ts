import assert from 'node:assert/strict';
import { readHeader } from '../../../../controller/src/render/header.ts';

const NOTHING = { keda: false, serviceMonitor: false, assignsUserIds: false };

describe('the header of a question', () => {
  it('needs nothing but the contract: what it does not name the cluster does not have', () => {
    assert.deepEqual(readHeader({ contract: 1 }), { capabilities: NOTHING, operatorVersion: undefined });
  });

  it('says what the cluster has, and as which version the program answers', () => {
    const capabilities = { keda: true, serviceMonitor: true, assignsUserIds: true };
    const header = { contract: 1, capabilities, operatorVersion: 'v3.1.0' };
    assert.deepEqual(readHeader(header), { capabilities, operatorVersion: '3.1.0' });
  });

  it('may have more than this version knows', () => {
    const header = { contract: 1, capabilities: { keda: true, gatewayApi: true }, asker: 'fleet' };
    assert.deepEqual(readHeader(header).capabilities, { ...NOTHING, keda: true });
  });

  for (const contract of [0, 2, '1', null, undefined, [1]]) {
    it(`is refused with the contract ${JSON.stringify(contract)}`, () => {
      assert.throws(() => readHeader({ contract, capabilities: 1 }), {
        message: /^contract: is not spoken by this version.*Ask for contract 1, or ask a version that speaks/,
      });
    });
  }

  it('is refused with every problem that it has', () => {
    assert.throws(() => readHeader({ contract: 1, capabilities: { keda: 'yes' }, operatorVersion: 3 }), {
      message:
        'capabilities.keda: must be true or false (got "yes")\noperatorVersion: must be a semantic version (got 3)',
    });
    assert.throws(() => readHeader({ contract: 1, capabilities: [] }), { message: /^capabilities: must be of type / });
  });
});

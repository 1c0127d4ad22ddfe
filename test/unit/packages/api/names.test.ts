import assert from 'node:assert/strict';
import { channelName, majorOfChannel } from '../../../../packages/api/channels.ts';
import { extensionName, leaseName, operatorNames, PACKAGE } from '../../../../packages/api/operator-names.ts';

describe('the name of a channel', () => {
  it('tells the maturity and the major of its versions, and their minor where there is one', () => {
    assert.equal(channelName('stable', 2), 'stable-v2');
    assert.equal(channelName('Fast', 2, 0), 'fast-v2.0');
  });

  it('leads back to the major', () => {
    for (const minor of [undefined, 0, 12]) assert.equal(majorOfChannel(channelName('candidate', 13, minor)), 13);
    for (const other of ['stable', 'stable-2', 'stable-v2-beta']) assert.equal(majorOfChannel(other), undefined);
  });
});

describe('the names of an operator', () => {
  it('are the same for its extension, its Lease and its objects, and no other major has them', () => {
    assert.equal(extensionName(PACKAGE, 2), 'inference-stack-operator-v2');
    assert.equal(leaseName(2), extensionName(PACKAGE, 2));
    assert.equal(operatorNames(2).operator, extensionName(PACKAGE, 2));
    assert.equal(extensionName('widgets', 1), 'widgets-v1');
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { closestName } from '../../../../packages/lib/similar.ts';

const KNOWN = ['modelName', 'device', 'tensorParallel', 'maxSequenceLength', 'quantType', 'loras'];

describe('the name that was meant', () => {
  const MEANT: Readonly<Record<string, string>> = {
    modelname: 'modelName',
    'model-name': 'modelName',
    ModelNames: 'modelName',
    tensorParralel: 'tensorParallel',
    tensorParrallel: 'tensorParallel',
    tensor_parallel: 'tensorParallel',
    maxSequenceLenght: 'maxSequenceLength',
    maxSequnceLengt: 'maxSequenceLength',
    devcie: 'device',
    lora: 'loras',
  };
  for (const [name, known] of Object.entries(MEANT)) {
    it(`is ${known} for ${name}`, () => assert.equal(closestName(name, KNOWN), known));
  }

  for (const name of ['', 'x', 'dev', 'modelType', 'quantBits', 'parallel', 'maxBatchSize', 'lor', '__proto__']) {
    it(`is none of them for ${JSON.stringify(name)}`, () => assert.equal(closestName(name, KNOWN), undefined));
  }

  it('is the closest of several', () => {
    assert.equal(closestName('maxBatchSizes', ['maxBatchSizing', 'maxBatchSize']), 'maxBatchSize');
  });

  it('is never more than two letters longer or shorter', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const meant = closestName(name, KNOWN);
        const letters = name.toLowerCase().replace(/[-_\s]/g, '').length;
        assert.ok(meant === undefined || Math.abs(meant.length - letters) <= 2);
      }),
    );
  });
});

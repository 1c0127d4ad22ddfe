import assert from 'node:assert/strict';
import { canonicalQuantity, parseQuantity } from '../../../../packages/kube/quantity.ts';

describe('quantities', () => {
  it('have the value that their suffix says', () => {
    assert.equal(parseQuantity('500m'), 0.5);
    assert.equal(parseQuantity('2Gi'), 2 ** 31);
    assert.equal(parseQuantity(4), 4);
    assert.equal(parseQuantity('1e3'), 1000);
    assert.equal(parseQuantity('much'), undefined);
    assert.equal(parseQuantity(undefined), undefined);
  });

  it('compare equal in different spellings', () => {
    assert.equal(canonicalQuantity('1000m'), canonicalQuantity('1'));
    assert.equal(canonicalQuantity('1024Mi'), canonicalQuantity('1Gi'));
    const thousandths = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const unlike = thousandths.filter((n) => canonicalQuantity(`${n}m`) !== canonicalQuantity(`${n / 1000}`));
    assert.deepEqual(unlike, []);
    assert.notEqual(canonicalQuantity('1G'), canonicalQuantity('1Gi'));
    assert.deepEqual(canonicalQuantity({ a: 1 }), { a: 1 });
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MOST_PLACES, placesOf } from '../../../../../packages/render/onwards/shares.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** How far the worst share is from what the weights say. */
function worstError(weights: readonly number[], places: readonly number[]): number {
  const errors = weights.map((weight, index) => Math.abs(weight / sum(weights) - (places[index] ?? 0) / sum(places)));
  return Math.max(...errors);
}

const weights = fc.array(fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(0, 1, 2, 1000)), {
  minLength: 1,
  maxLength: 100,
});

describe('places in a pool', () => {
  it('are the weights, reduced by their common divisor', () => {
    assert.deepEqual(placesOf([90, 10]), [9, 1]);
    assert.deepEqual(placesOf([50, 50]), [1, 1]);
    assert.deepEqual(placesOf([1000, 500, 250]), [4, 2, 1]);
    assert.deepEqual(placesOf([7]), [1]);
    assert.deepEqual(placesOf([97, 3]), [97, 3]);
  });

  it('are nobody’s without a weight', () => {
    assert.deepEqual(placesOf([0, 100]), [0, 1]);
    assert.deepEqual(placesOf([0, 0]), [0, 0]);
    assert.deepEqual(placesOf([]), []);
  });

  it('are a hundred where the weights have no small divisor', () => {
    assert.deepEqual(placesOf([333, 667]), [33, 67]);
    assert.deepEqual(placesOf([999, 1]), [99, 1]);
  });

  it('are more where many small members would take too much of the others’', () => {
    const given = [1000, ...Array.from({ length: 99 }, () => 1)];
    assert.ok(worstError(given, placesOf(given, 100)) > 0.3);
    assert.ok(worstError(given, placesOf(given)) <= 0.01);
  });

  it('give shares within one point of the weights, whatever these are, and something to everybody who has a weight', () => {
    fc.assert(
      fc.property(weights, (given) => {
        const places = placesOf(given);
        assert.equal(places.length, given.length);
        places.forEach((count, index) => {
          assert.ok(Number.isInteger(count));
          assert.equal(count > 0, (given[index] ?? 0) > 0);
        });
        assert.ok(sum(places) <= MOST_PLACES + given.length);
        if (sum(given) > 0) assert.ok(worstError(given, places) <= 0.01, `${places.join()} of ${given.join()}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('are as few as they have to be', () => {
    fc.assert(
      fc.property(weights, fc.constantFrom(1, 2, 5, 10, 50, 100, 500), (given, most) => {
        assert.ok(sum(placesOf(given, most)) <= most + given.length);
      }),
    );
  });
});

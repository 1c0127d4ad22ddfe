/** Weights are small whole numbers: within so many places in all, a pool has exactly the shares that they say. */
const EXACT = 100;

/** How many places other pools have: the fewest with which they are near to what the weights say. */
const SIZES = [EXACT, 200, 500, 1000, 2000] as const;

/** With so many places, no share of a hundred members of any weights is more than a hundredth of all requests from what it should be. */
export const MOST_PLACES = 2000;

/** The part of all requests that may go elsewhere than the weights say. */
const NEAR = 0.01;

/**
 * How many places in a pool each member gets, for weights that are not negative. Onwards counts the active requests of each place, and
 * divides them by its weight, so that a heavy place would not get its share while there are few requests. Places of equal weight do.
 * Nobody who has a weight gets none. `most` bounds the places of a pool, as far as its members leave room.
 */
export function placesOf(weights: readonly number[], most = MOST_PLACES): number[] {
  const divisor = weights.reduce(greatestCommonDivisor, 0);
  if (divisor === 0) return weights.map(() => 0);
  const reduced = weights.map((weight) => weight / divisor);
  if (sum(reduced) <= Math.min(most, EXACT)) return reduced;
  const [fewest = most, ...larger] = SIZES.filter((size) => size <= most);
  let places = rounded(reduced, fewest);
  for (const size of larger) {
    if (isNear(places, reduced)) return places;
    places = rounded(reduced, size);
  }
  return places;
}

/** The nearest whole places: what is left over after rounding down goes to those that lost most. */
function rounded(weights: readonly number[], size: number): number[] {
  const all = sum(weights);
  const exact = weights.map((weight) => (weight * size) / all);
  const places = exact.map((share, index) => (weights[index] === 0 ? 0 : Math.max(1, Math.floor(share))));
  const free = size - sum(places);
  const byLoss = [...exact.keys()].sort((a, b) => lossOf(exact, places, b) - lossOf(exact, places, a));
  for (const index of byLoss.slice(0, Math.max(0, free))) places[index] = (places[index] ?? 0) + 1;
  return places;
}

function lossOf(exact: readonly number[], places: readonly number[], index: number): number {
  return (exact[index] ?? 0) - (places[index] ?? 0);
}

function isNear(places: readonly number[], weights: readonly number[]): boolean {
  const [allPlaces, allWeights] = [sum(places), sum(weights)];
  const errors = places.map((count, index) => Math.abs(count / allPlaces - (weights[index] ?? 0) / allWeights));
  // What one member has too much, another has too little.
  return sum(errors) / 2 <= NEAR;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
